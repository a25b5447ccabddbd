import { readSession } from '@officium/contract/auth';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildApp } from '#server/app/app.ts';
import { createTestApp } from '#server/test/app.ts';
import { addressOf } from '@officium/contract/client';
import { watchOverload } from './overload.ts';

const test = await createTestApp();

describe('a delayed process', () => {
  const watch = () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let [time, cpu] = [0, 0];
    const overload = watchOverload(
      () => time,
      () => cpu,
    );
    onTestFinished(overload.stop);
    return (elapsedMs: number, cpuMs: number) => {
      time += elapsedMs;
      cpu += cpuMs;
      vi.advanceTimersByTime(250);
      return overload.isOverloaded();
    };
  };

  it('is overloaded after two delays of half a second in a row, until one is shorter', () => {
    const look = watch();
    expect([look(260, 100), look(900, 850), look(800, 790), look(900, 900), look(300, 250)]).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it('is not overloaded by other processes on the machine', () => {
    const look = watch();
    expect([look(900, 50), look(900, 50), look(900, 50)]).toEqual([false, false, false]);
  });
});

describe('an overloaded process', async () => {
  let isOverloaded = true;
  const app = await buildApp(test.ctx, { isOverloaded: () => isOverloaded });
  await app.listen({ port: 0, host: '127.0.0.1' });
  afterAll(() => app.close());
  const { port } = app.server.address() as { port: number }; // it listens on TCP
  const ask = async (path: string) => await fetch(`http://127.0.0.1:${port}${path}`);

  it('refuses requests with a retry time, and still reports liveness', async () => {
    const refused = await ask(addressOf(readSession, {}));
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await refused.json()).toMatchObject({ code: 'server.unavailable' });
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await ask(path)).status).toBe(200);
    isOverloaded = false;
    expect((await ask(addressOf(readSession, {}))).status).not.toBe(503);
    isOverloaded = true;
  });

  it('serves in-process requests of admitted pages', async () => {
    const inner = await app.inject({ method: 'GET', url: addressOf(readSession, {}) });
    expect(inner.statusCode).not.toBe(503);
  });
});
