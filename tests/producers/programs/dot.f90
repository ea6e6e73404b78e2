! The dot product of two vectors, by a loop.
function dot(n, a, b) result(total) bind(c)
  use iso_c_binding
  integer(c_int), value :: n
  real(c_double), intent(in) :: a(n), b(n)
  real(c_double) :: total
  integer :: i
  total = 0
  do i = 1, n
    total = total + a(i) * b(i)
  end do
end function
