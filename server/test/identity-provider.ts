import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { portOf } from './process.ts';

type Claims = { email?: string; email_verified?: boolean; name?: string; groups?: string[]; iat?: number };
/**
 * The claims of a person in userinfo; without `email_verified` the address is unverified. `token` holds the claims of
 * the ID token.
 */
export type Employee = Claims & { sub: string; token?: Claims };

export type TestProvider = {
  issuer: string;
  /** Settings of a product that uses this provider. */
  settings: Record<string, string>;
  /** Sets the person who signs in next, without any prompt. */
  employ(employee: Employee): void;
  /** Refuses further sign-ins. */
  close(): void;
  /** Follows a sign-in like a browser and returns the query of the callback URL. */
  visit(url: string): Promise<string>;
  stop(): Promise<void>;
};

/** A real OpenID Connect provider on this machine that signs in the last employed person. */
export async function startIdentityProvider(
  redirectUri = 'http://localhost:3000/login/provider',
): Promise<TestProvider> {
  const employees = new Map<string, Employee>();
  let next: string | undefined;
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://localhost:${portOf(server)}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'officium', client_secret: 'a secret between two machines', redirect_uris: [redirectUri] }],
    claims: { openid: ['sub', 'iat'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the test'] },
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: (use) => {
        const { token, ...said } = employees.get(sub) ?? {};
        return { ...(use === 'id_token' ? token : said), sub };
      },
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId }); // the person has signed in
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    const result = next === undefined ? { error: 'access_denied' } : { login: { accountId: next, remember: false } };
    void provider.interactionFinished(request, response, result);
  });

  return {
    issuer,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'officium',
      OIDC_CLIENT_SECRET: 'a secret between two machines',
      OIDC_NAME: 'City of Example',
    },
    employ(employee) {
      employees.set(employee.sub, employee);
      next = employee.sub;
    },
    close() {
      next = undefined;
    },
    async visit(url) {
      const cookies = new Map<string, string>();
      for (let at = url; ;) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const reply = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const line of reply.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = reply.headers.get('location');
        if (location === null) throw new Error(`${at}: ${reply.status} ${await reply.text()}`);
        if (location.startsWith(redirectUri)) return new URL(location).search.slice(1);
        at = new URL(location, at).href;
      }
    },
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}
