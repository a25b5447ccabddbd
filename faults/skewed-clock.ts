// Loaded before the product (`--import`): shifts the wall clock of its process by CLOCK_OFFSET_MS. The monotonic clock,
// the database and other processes keep their time.

const Actual = Date;
const offsetMs = Number(process.env['CLOCK_OFFSET_MS'] ?? 0);
if (!Number.isFinite(offsetMs)) throw new Error('CLOCK_OFFSET_MS must be a number of milliseconds');
const now = () => Actual.now() + offsetMs;

globalThis.Date = new Proxy(Actual, {
  // Only a Date without arguments is shifted.
  construct: (_, given, target) => Reflect.construct(Actual, given.length === 0 ? [now()] : given, target) as Date,
  apply: () => new Actual(now()).toString(),
  get: (_, name) => (name === 'now' ? now : Reflect.get(Actual, name)),
});
