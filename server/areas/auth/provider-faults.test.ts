import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as contract from '@officium/contract/provider-sign-in';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { startIdentityProvider } from '#server/test/identity-provider.ts';

/** Answers what it is told to, whatever it is asked. */
let faulty: { status: number; type: string; body: string } = { status: 500, type: 'text/html', body: '<h1>Oh</h1>' };
const server = createServer((_, response) => {
  response.writeHead(faulty.status, { 'content-type': faulty.type }).end(faulty.body);
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
afterAll(() => server.close());
const issuer = `http://localhost:${(server.address() as AddressInfo).port}`; // it listens on a port
/** It describes itself well, but for its length. */
const endless = JSON.stringify({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  padding: 'x'.repeat(1024 * 1024),
});
const test = await createTestApp({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'officium' });
const without = await createTestApp();

describe('an organisation that fails', () => {
  it.each([
    ['an error page', { status: 500, type: 'text/html', body: '<h1>Oh</h1>' }],
    ['a page', { status: 200, type: 'text/html', body: '<h1>Welcome</h1>' }],
    ['cut JSON', { status: 200, type: 'application/json', body: '{"issuer": "http' }],
    ['another name', { status: 200, type: 'application/json', body: '{"issuer": "https://elsewhere.example.org"}' }],
    ['more than a mebibyte', { status: 200, type: 'application/json', body: endless }],
  ])('with %s is told from one that says no', async (_, fault) => {
    faulty = fault;
    const refused = await test.call(contract.startProviderSignIn, undefined, { body: {} });
    expect([refused.status, refused.body.code]).toEqual([503, 'auth.provider_unavailable']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.stringify(refused.body)).not.toContain(issuer);
  });

  it('when its person comes back lets them begin again', async () => {
    const provider = await startIdentityProvider();
    const product = await createTestApp(provider.settings);
    provider.employ({ sub: 'one', email: 'one@city.example.org', email_verified: true });
    const { body } = await product.call(contract.startProviderSignIn, undefined, { body: {} });
    const answer = await provider.visit(body.url);
    await provider.stop();
    const refused = await product.call(contract.finishProviderSignIn, undefined, {
      body: { attempt: body.attempt, answer },
    });
    expect([refused.status, refused.body.code]).toEqual([503, 'auth.provider_unavailable']);
  });
});

describe('a product without an organisation', () => {
  it('names none and signs nobody in by one', async () => {
    expect((await without.call(contract.readSignInWays)).body).toEqual({ provider: null });
    const begun = await without.call(contract.startProviderSignIn, undefined, { body: {} });
    const done = await without.call(contract.finishProviderSignIn, undefined, { body: { attempt: 'x', answer: 'x' } });
    expect([begun.body.code, done.body.code]).toEqual(['auth.no_provider', 'auth.no_provider']);
  });
});
