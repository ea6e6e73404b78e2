// engine.js - the worker as seen from the page: only the newest question counts, and none takes longer than the limit.

export const SECONDS = 4;

export class Engine {
  constructor(module, source) {
    this.module = module;
    this.url = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
    this.number = 0;
    this.start();
  }

  start() {
    this.worker = new Worker(this.url);
    this.worker.onmessage = ({data}) => {
      if (data.number === this.number) // not what a worker that was stopped has left
        this.finish(data.results);
    };
    this.worker.onerror = event => this.finish(null, event.message);
    this.worker.postMessage({module: this.module});
  }

  // The results of the jobs; null when newer jobs took their place.
  ask(jobs) {
    this.waiting?.done(null);
    return new Promise(done => {
      this.waiting = {jobs, done};
      if (!this.running)
        this.next();
    });
  }

  next() {
    this.running = this.waiting;
    this.waiting = null;
    if (!this.running)
      return;
    this.timer = setTimeout(() => this.stop(), SECONDS * 1000);
    this.worker.postMessage({number: ++this.number, jobs: this.running.jobs});
  }

  stop() {
    this.worker.terminate();
    this.start();
    this.finish(null, `stopped after ${SECONDS} seconds: the input is too large for the page`);
  }

  finish(results, failure) {
    clearTimeout(this.timer);
    const {jobs, done} = this.running;
    this.running = null;
    done(this.waiting ? null : results ?? jobs.map(() => ({status: null, out: "", err: "", failure})));
    this.next();
  }
}
