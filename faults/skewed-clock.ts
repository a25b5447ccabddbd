// Loaded before the product (`--import`): its process takes the time of day to be CLOCK_OFFSET_MS later than it is.
// Durations, which go by the monotonic clock, are as they were; so are the clocks of the database and of other processes.

const Actual = Date;
const offsetMs = Number(process.env['CLOCK_OFFSET_MS'] ?? 0);
if (!Number.isFinite(offsetMs)) throw new Error('CLOCK_OFFSET_MS is a number of milliseconds');
const now = () => Actual.now() + offsetMs;

globalThis.Date = new Proxy(Actual, {
  // A date of no arguments is now; the others are as they are asked for.
  construct: (_, given, target) => Reflect.construct(Actual, given.length === 0 ? [now()] : given, target) as Date,
  apply: () => new Actual(now()).toString(),
  get: (_, name) => (name === 'now' ? now : Reflect.get(Actual, name)),
});
