// A C++20 program with coroutines, exceptions, lambdas and what is local to a function: types, enumerations, static variables.
#include <coroutine>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

template <class Value> class generator {
public:
  struct promise_type {
    Value value;
    std::exception_ptr failure;

    generator get_return_object() { return generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(Value next) {
      value = std::move(next);
      return {};
    }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }
  };

  explicit generator(std::coroutine_handle<promise_type> handle) : handle(handle) {}
  generator(const generator &) = delete;
  ~generator() { handle.destroy(); }

  bool next() {
    handle.resume();
    if (handle.promise().failure)
      std::rethrow_exception(handle.promise().failure);
    return !handle.done();
  }
  const Value &value() const { return handle.promise().value; }

private:
  std::coroutine_handle<promise_type> handle;
};

static generator<int> count(int limit) {
  enum class mode : unsigned { quiet, loud };
  struct local {
    mode how = mode::loud;
    static int twice(int number) {
      static int calls;
      calls++;
      return 2 * number;
    }
  };
  using pair = std::pair<local, int>;
  for (int i = 0; i < limit; i++) {
    if (i == 7)
      throw std::runtime_error("seven");
    pair both{{}, local::twice(i)};
    co_yield both.first.how == mode::loud ? both.second : -1;
  }
}

static generator<std::string> words(std::vector<std::string> all) {
  for (const auto &word : all)
    co_yield word + "!";
}

int main(int argc, char **argv) {
  int sum = 0;
  auto add = [&sum](auto &&numbers) {
    while (numbers.next())
      sum += numbers.value();
  };
  try {
    add(count(argc * 10));
  } catch (const std::exception &problem) {
    sum -= static_cast<int>(std::string(problem.what()).size());
  }
  auto said = words({argv, argv + argc});
  while (said.next())
    sum += static_cast<int>(said.value().size());
  return sum;
}
