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

  it('reads named keys and takes an empty value as none', () => {
    const config = readConfig({ SERVICE_API_KEYS: `one:${'a'.repeat(32)}, two:${'b'.repeat(40)}`, SMTP_URL: '' });
    expect([...config.serviceKeys.keys()]).toEqual(['one', 'two']);
    expect(config.smtpUrl).toBeUndefined();
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
    ['RATE_LIMITS', 'maybe'],
    ['STORAGE_URL', 's3://bucket'],
    ['ADMIN_EMAIL', 'ines@example.gov'],
  ])('refuses %s=%s in one line that names it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^(${name}|ADMIN_PASSWORD)[^\n]*$`));
  });
});
