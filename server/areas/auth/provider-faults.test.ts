import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as contract from '@officium/contract/provider-sign-in';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { startIdentityProvider } from '#server/test/identity-provider.ts';

/** The response to every request. */
let faulty: { status: number; type: string; body: string } = { status: 500, type: 'text/html', body: '<h1>Oh</h1>' };
const server = createServer((_, response) => {
  response.writeHead(faulty.status, { 'content-type': faulty.type }).end(faulty.body);
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
afterAll(() => server.close());
const issuer = `http://localhost:${(server.address() as AddressInfo).port}`; // it listens on a port
/** Valid metadata, but too large. */
const endless = JSON.stringify({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  padding: 'x'.repeat(1024 * 1024),
});
const test = await createTestApp({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'officium' });
const without = await createTestApp();

describe('a failing identity provider', () => {
  it.each([
    ['an error page', { status: 500, type: 'text/html', body: '<h1>Oh</h1>' }],
    ['a page', { status: 200, type: 'text/html', body: '<h1>Welcome</h1>' }],
    ['cut JSON', { status: 200, type: 'application/json', body: '{"issuer": "http' }],
    ['another name', { status: 200, type: 'application/json', body: '{"issuer": "https://elsewhere.example.org"}' }],
    ['more than a mebibyte', { status: 200, type: 'application/json', body: endless }],
  ])('with %s is reported as unavailable, not as a refusal', async (_, fault) => {
    faulty = fault;
    const refused = await test.call(contract.startProviderSignIn, undefined, { body: {} });
    expect([refused.status, refused.body.code]).toEqual([503, 'auth.provider_unavailable']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.stringify(refused.body)).not.toContain(issuer);
  });

  it('reports the failure when the user returns, so that they can start again', async () => {
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

describe('an installation without an identity provider', () => {
  it('lists no provider and refuses sign-ins through one', async () => {
    expect((await without.call(contract.readSignInWays)).body).toEqual({ provider: null });
    const begun = await without.call(contract.startProviderSignIn, undefined, { body: {} });
    const done = await without.call(contract.finishProviderSignIn, undefined, { body: { attempt: 'x', answer: 'x' } });
    expect([begun.body.code, done.body.code]).toEqual(['auth.no_provider', 'auth.no_provider']);
  });
});
