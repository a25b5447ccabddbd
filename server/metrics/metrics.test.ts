import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '#server/config.ts';
import { createTestApp, type TestApp } from '#server/test/app.ts';
import { createMeasurements } from './measurements.ts';
import { createMetricsServer } from './metrics.ts';

const METRICS_TOKEN = 'a-token-for-prometheus-with-32-characters';
const AS_PROMETHEUS = { authorization: `Bearer ${METRICS_TOKEN}` };

const ask = async (test: TestApp, remoteAddress: string, headers: Record<string, string> = {}) => {
  const { statusCode, body } = await test.app.inject({ url: '/metrics', remoteAddress, headers });
  return [statusCode, statusCode === 200 || JSON.parse(body).code];
};
const GIVEN = [200, true];
const REFUSED = [404, 'request.not_found'];

describe('GET /metrics on the main port', () => {
  it('serves this machine only, and no requests forwarded by a proxy on it', async () => {
    const test = await createTestApp();
    expect(await ask(test, '127.0.0.1')).toEqual(GIVEN);
    expect(await ask(test, '::1')).toEqual(GIVEN);
    expect(await ask(test, '::ffff:127.0.0.1')).toEqual(GIVEN);
    expect(await ask(test, '10.1.2.3')).toEqual(REFUSED);
    expect(await ask(test, '198.51.100.7', AS_PROMETHEUS)).toEqual(REFUSED);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      expect(await ask(test, '127.0.0.1', { [header]: '127.0.0.1' })).toEqual(REFUSED);
  });

  it("ignores a proxy's claim to be this machine", async () => {
    const test = await createTestApp({ TRUST_PROXY: '10.0.0.9' });
    expect(await ask(test, '10.0.0.9', { 'x-forwarded-for': '127.0.0.1' })).toEqual(REFUSED);
  });

  it('serves callers with the token only, when one is set', async () => {
    const test = await createTestApp({ METRICS_TOKEN });
    expect(await ask(test, '198.51.100.7', AS_PROMETHEUS)).toEqual(GIVEN);
    expect(await ask(test, '127.0.0.1')).toEqual(REFUSED);
    expect(await ask(test, '127.0.0.1', { authorization: `Bearer ${METRICS_TOKEN}x` })).toEqual(REFUSED);
    expect(await ask(test, '127.0.0.1', { authorization: 'Basic eDp5' })).toEqual(REFUSED);
  });

  it('serves nobody when the metrics have a port of their own', async () => {
    const test = await createTestApp({ METRICS_PORT: '9464', METRICS_TOKEN });
    expect(await ask(test, '127.0.0.1', AS_PROMETHEUS)).toEqual(REFUSED);
  });
});

describe('METRICS_PORT', () => {
  it('must differ from PORT', () => {
    expect(() => readConfig({ METRICS_PORT: '3000' })).toThrow('METRICS_PORT: must differ from PORT');
  });

  it.each([
    ['everybody when no token is set', {}, {}, 200],
    ['a caller with the token', { METRICS_TOKEN }, AS_PROMETHEUS, 200],
    ['a caller without the token as missing', { METRICS_TOKEN }, {}, 404],
  ] as [string, Record<string, string>, Record<string, string>, number][])(
    'answers %s',
    async (_, settings, headers, status) => {
      const { ctx } = await createTestApp({ METRICS_PORT: '9464', ...settings });
      const server = createMetricsServer(ctx.config, createMeasurements(ctx), pino({ level: 'silent' }));
      onTestFinished(() => void server.close());
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo; // it listens on a port
      const reply = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
      expect(reply.status).toBe(status);
      if (status === 200) expect(await reply.text()).toContain('officium_processes 1');
      expect((await fetch(`http://127.0.0.1:${port}/`, { headers })).status).toBe(404);
    },
  );
});

describe('the metrics of several processes', () => {
  it("contain each process's own, and the sums of the rest", async () => {
    const { ctx } = await createTestApp();
    const first = createMeasurements(ctx, { index: 0 });
    const second = createMeasurements(ctx, { index: 1 });
    const asked = createMeasurements(ctx, { measureAll: () => Promise.all([first.own(), second.own()]) });
    for (const { observe } of [first, first, second]) observe({ method: 'GET', route: '/', status: 200 }, 0.01);
    const text = await asked.text();
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/",status="200"} 3');
    expect(text).toContain('officium_processes 2');
    for (const name of [
      'process_resident_memory_bytes',
      'process_start_time_seconds',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      for (const index of [0, 1]) expect(text).toMatch(new RegExp(`^${name}\\{process="${index}"\\} \\S+$`, 'm'));
  });
});
