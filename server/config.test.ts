import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      dataDir: './data',
      role: 'all',
    });
  });

  it('takes payments with both keys of Stripe, from a private address only', () => {
    const STRIPE_SECRET_KEY = 'sk_test_0123456789';
    const STRIPE_WEBHOOK_SECRET = 'whsec_0123456789';
    const keys = { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET };
    expect(readConfig({}).payments).toBeUndefined();
    expect(readConfig(keys).payments).toEqual({
      secretKey: STRIPE_SECRET_KEY,
      webhookSecret: STRIPE_WEBHOOK_SECRET,
      apiHost: 'https://api.stripe.com',
    });
    expect(readConfig({ ...keys, STRIPE_API_HOST: 'http://127.0.0.1:9' }).payments?.apiHost).toBe('http://127.0.0.1:9');
    expect(() => readConfig({ ...keys, STRIPE_API_HOST: 'http://stripe.example.org' })).toThrow('STRIPE_API_HOST');
    expect(() => readConfig({ STRIPE_SECRET_KEY })).toThrow('STRIPE_WEBHOOK_SECRET: is required');
    expect(() => readConfig({ STRIPE_WEBHOOK_SECRET })).toThrow('STRIPE_SECRET_KEY: is required');
    expect(() => readConfig({ ...keys, STRIPE_SECRET_KEY: 'pk_test_0123456789' })).toThrow(
      /^STRIPE_SECRET_KEY: must be/,
    );
  });

  it('reads named keys and treats an empty value as none', () => {
    const config = readConfig({ SERVICE_API_KEYS: `one:${'a'.repeat(32)}, two:${'b'.repeat(40)}`, SMTP_URL: '' });
    expect([...config.serviceKeys.keys()]).toEqual(['one', 'two']);
    expect(config.smtpUrl).toBeUndefined();
  });

  it('accepts one address, with or without a name, as the sender of mails', () => {
    for (const from of ['learn@example.gov', '"Learning, Ministry" <learn@example.gov>'])
      expect(readConfig({ MAIL_FROM: from }).mailFrom).toBe(from);
    for (const from of ['bad', 'Ministry <bad>', 'one@example.gov, two@example.gov', 'a@b.gov\r\nBcc: c@d.gov'])
      expect(() => readConfig({ MAIL_FROM: from })).toThrow(/^MAIL_FROM: must be an address/);
  });

  it('accepts a replica and a direct address beside DATABASE_URL, which then prepares no statements by default', () => {
    const DATABASE_URL = 'postgres://db/officium';
    const read = (given: Record<string, string>) => readConfig({ DATABASE_URL, ...given });
    expect(read({})).toMatchObject({ databaseDirectUrl: undefined, preparesStatements: true });
    expect(read({ DATABASE_REPLICA_URL: 'postgres://replica' })).toMatchObject({
      databaseReplicaUrl: 'postgres://replica',
      preparesStatements: true,
    });
    const DATABASE_DIRECT_URL = 'postgres://direct';
    expect(read({ DATABASE_DIRECT_URL })).toMatchObject({
      databaseDirectUrl: DATABASE_DIRECT_URL,
      preparesStatements: false,
    });
    expect(read({ DATABASE_DIRECT_URL, DATABASE_PREPARED: 'on' }).preparesStatements).toBe(true);
    expect(() => readConfig({ DATABASE_DIRECT_URL })).toThrow('DATABASE_URL: is required with DATABASE_DIRECT_URL');
    for (const hosts of ['one,two', 'one:5432,two:5433'])
      expect(() => readConfig({ DATABASE_URL: `postgres://${hosts}/officium` })).toThrow(/^DATABASE_URL: must be an/);
  });

  it('requires a second factor of administrators, except where there may be demo content', () => {
    const ask = (given: Record<string, string>) => readConfig(given).adminSecondFactor;
    const DATABASE_URL = 'postgres://db';
    expect([ask({}), ask({ DEMO_CONTENT: 'off' }), ask({ DATABASE_URL })]).toEqual(['optional', 'screens', 'screens']);
    expect(ask({ DATABASE_URL, DEMO_CONTENT: 'on' })).toBe('optional');
    const PUBLIC_URL = 'https://learn.example.gov';
    expect([ask({ PUBLIC_URL }), ask({ PUBLIC_URL, DEMO_CONTENT: 'on' })]).toEqual(['screens', 'screens']);
    expect(ask({ ADMIN_SECOND_FACTOR: 'required' })).toBe('required');
  });

  it('is local only while no setting lets others reach it, and only then loads the demo by default', () => {
    const read = (given: Record<string, string>) => {
      const { isLocal, demoContent } = readConfig(given);
      return [isLocal, demoContent];
    };
    const local: Record<string, string>[] = [
      {},
      { PUBLIC_URL: 'http://localhost:4000' },
      { PUBLIC_URL: 'https://officium.localhost' },
      { PUBLIC_URL: 'http://[::1]:3000', HOST: '::1' },
      { PUBLIC_URL: 'http://127.1.2.3', HOST: 'localhost' },
    ];
    for (const here of local) expect(read(here)).toEqual([true, 'when-empty']);
    const reachable: Record<string, string>[] = [
      { PUBLIC_URL: 'https://learn.example.gov' },
      { PUBLIC_URL: 'http://localhost.example.gov' },
      { PUBLIC_URL: 'http://127.0.0.1.example.gov' },
      { HOST: '0.0.0.0' },
      { HOST: '::' },
      { HOST: '10.0.0.7' },
      { TRUST_PROXY: '127.0.0.1' },
      { ADMIN_EMAIL: 'boss@city.example', ADMIN_PASSWORD: 'correct horse' },
    ];
    for (const there of reachable) expect(read(there)).toEqual([false, 'never']);
    expect(read({ DATABASE_URL: 'postgres://db' })).toEqual([true, 'never']);
    expect(read({ HOST: '0.0.0.0', DEMO_CONTENT: 'on' })).toEqual([false, 'always']);
    expect(read({ DEMO_CONTENT: 'off' })).toEqual([true, 'never']);
  });

  it('refuses the published password for the administrator', () => {
    const given = { ADMIN_EMAIL: 'boss@city.example', ADMIN_PASSWORD: 'officium-demo-2026' };
    expect(() => readConfig(given)).toThrow(/^ADMIN_PASSWORD: must not be the password of the demo$/);
  });

  it('accepts complete settings of a language model, and names a missing one', () => {
    const GOOGLE = { AI_PROVIDER: 'google', AI_API_KEY: 'key', AI_MODEL_FAST: 'small' };
    const LOCAL = {
      AI_PROVIDER: 'openai-compatible',
      AI_BASE_URL: 'http://127.0.0.1:8080/v1/',
      AI_MODEL_FAST: 'a/b:c',
    };
    expect(readConfig({}).ai).toBeUndefined();
    expect(readConfig({ ...GOOGLE, AI_MODEL_PRO: 'large' }).ai).toMatchObject({
      kind: 'google',
      models: { fast: 'small', pro: 'large' },
    });
    expect(readConfig(LOCAL).ai).toEqual({
      kind: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:8080/v1',
      apiKey: undefined,
      models: { fast: 'a/b:c', pro: 'a/b:c' },
    });
    const lacking = (settings: Record<string, string>, name: string) =>
      expect(() => readConfig({ ...settings, [name]: '' })).toThrow(
        new RegExp(`^${name}: is required with AI_[^\n]*$`),
      );
    lacking(GOOGLE, 'AI_API_KEY');
    lacking(GOOGLE, 'AI_MODEL_FAST');
    lacking(GOOGLE, 'AI_PROVIDER');
    lacking(LOCAL, 'AI_BASE_URL');
  });

  it('translates with the named provider, else with a language model if there is one', () => {
    const AI = { AI_PROVIDER: 'google', AI_API_KEY: 'key', AI_MODEL_FAST: 'small' };
    const OWN = { TRANSLATION_PROVIDER: 'apertium', APERTIUM_URL: 'http://127.0.0.1:2737/' };
    expect(readConfig({}).translation).toBeUndefined();
    expect(readConfig(AI).translation).toEqual({ provider: 'ai' });
    expect(readConfig({ ...AI, TRANSLATION_PROVIDER: 'ai' }).translation).toEqual({ provider: 'ai' });
    expect(readConfig({ ...AI, ...OWN }).translation).toEqual({ provider: 'apertium', url: 'http://127.0.0.1:2737' });
    for (const [settings, line] of [
      [{ TRANSLATION_PROVIDER: 'ai' }, 'AI_PROVIDER: is required with TRANSLATION_PROVIDER=ai'],
      [{ TRANSLATION_PROVIDER: 'apertium' }, 'APERTIUM_URL: is required with TRANSLATION_PROVIDER=apertium'],
      [{ ...AI, APERTIUM_URL: 'http://a.example' }, 'TRANSLATION_PROVIDER: must be apertium with APERTIUM_URL'],
      [{ TRANSLATION_PROVIDER: 'deepl' }, 'TRANSLATION_PROVIDER: must be ai or apertium'],
      [{ ...OWN, APERTIUM_URL: 'apertium' }, 'APERTIUM_URL: must be an http or https address'],
    ] as const)
      expect(() => readConfig(settings)).toThrow(new RegExp(`^${line}$`));
  });

  it.each([
    ['PORT', 'eighty'],
    ['PUBLIC_URL', 'example.org'],
    ['DATABASE_URL', 'mysql://x'],
    ['SERVICE_API_KEYS', 'one:short'],
    ['SERVICE_API_KEYS', 'nameless'],
    ['WEBHOOK_KEYS', 'short'],
    ['TRUSTED_REDIRECTS', 'https://a.example,javascript:alert(1)'],
    ['LINK_PREVIEW_ALLOW', 'intranet.example'],
    ['LINK_PREVIEW_ALLOW', 'http://intranet.example:8080'],
    ['LINK_PREVIEW_ALLOW', 'intranet.example:99999'],
    ['SERVICE_API_KEYS', `one:${'a'.repeat(32)},one:${'b'.repeat(32)}`],
    ['TRUST_PROXY', 'everyone'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '1,10.0.0.5'],
    ['RATE_LIMITS', 'maybe'],
    ['STORAGE_URL', 'https://bucket.example.org'],
    ['STORAGE_URL', 's3://B'],
    ['STORAGE_URL', 's3://bucket?endpoint=ftp://store.example.org'],
    ['SECRET_KEY', 'short'],
    ['ADMIN_SECOND_FACTOR', 'always'],
    ['OIDC_ISSUER', 'http://login.example.org'],
    ['OIDC_CLIENT_ID', 'officium'],
    ['OIDC_SCOPES', 'email profile'],
    ['OIDC_TRUST_EMAIL', 'maybe'],
    ['ADMIN_EMAIL', 'ines@example.gov'],
    ['AI_PROVIDER', 'oracle'],
    ['AI_BASE_URL', 'llm.example'],
    ['AI_BASE_URL', 'https://me:secret@llm.example/v1'],
    ['AI_API_KEY', 'two words'],
    ['AI_TOKENS_A_PERSON', 'many'],
    ['AI_TOKENS_A_DAY', '-1'],
  ])('refuses %s=%s in one line that names it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^(${name}|ADMIN_PASSWORD)[^\n]*$`));
  });

  it('trusts a number of proxies or named ones, and behind https never a whole network', () => {
    const read = (TRUST_PROXY: string, PUBLIC_URL = 'https://learn.example.gov') =>
      readConfig({ TRUST_PROXY, PUBLIC_URL }).trustProxy;
    expect([read(''), read('2'), read('10.0.0.5, 10.0.0.6')]).toEqual([false, 2, ['10.0.0.5', '10.0.0.6']]);
    for (const narrow of ['loopback', '10.42.0.0/16', '192.168.7.0/24', 'fd00:1::/32', '198.51.100.0/24'])
      expect(read(narrow)).toEqual([narrow]);
    for (const whole of [
      'uniquelocal',
      'linklocal',
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.0.0.0/8',
      '0.0.0.0/1',
      'fc00::/7',
    ]) {
      expect(() => read(`10.0.0.5,${whole}`)).toThrow(new RegExp(`^TRUST_PROXY: ${whole} lets everybody [^\n]+$`));
      expect(read(whole, 'http://learn.example.gov')).toEqual([whole]);
    }
  });

  it('parses the address of Redis, and repeats none of it in an error', () => {
    expect(readConfig({}).redis).toBeUndefined();
    const parts = { host: '127.0.0.1', port: 6379, tls: false, database: 0 };
    expect(readConfig({ REDIS_URL: 'redis://127.0.0.1' }).redis).toMatchObject(parts);
    expect(readConfig({ REDIS_URL: 'rediss://me:p%40ss@[::1]:7000/2' }).redis).toEqual({
      host: '::1',
      port: 7000,
      tls: true,
      username: 'me',
      password: 'p@ss',
      database: 2,
    });
    for (const wrong of ['http://h', 'redis://', 'redis://:hidden%@h', 'redis://:hidden@h/x', 'redis://:hidden@h?a=b'])
      expect(() => readConfig({ REDIS_URL: wrong })).toThrow(/^REDIS_URL: must be redis:[^\n]*TLS$/);
  });

  it('uses one process per core in production, one elsewhere and for jobs alone, and WEB_PROCESSES', () => {
    const count = (given: Record<string, string>) => readConfig(given).processes;
    const cores = Math.min(availableParallelism(), 8);
    expect([count({}), count({ NODE_ENV: 'test' }), count({ NODE_ENV: 'development' })]).toEqual([cores, 1, 1]);
    expect([count({ ROLE: 'web' }), count({ ROLE: 'worker', WEB_PROCESSES: '4' })]).toEqual([cores, 1]);
    expect([count({ WEB_PROCESSES: '3' }), count({ WEB_PROCESSES: '3', NODE_ENV: 'development' })]).toEqual([3, 1]);
    for (const wrong of ['0', '65', 'many', '1.5'])
      expect(() => count({ WEB_PROCESSES: wrong })).toThrow(/^WEB_PROCESSES: [^\n]+$/);
  });
});
