import { isIP } from 'node:net';
import { z } from 'zod';

const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((value) => new URL(value).origin);

const named = z
  .string()
  .default('')
  .transform((value, context) => {
    const keys = new Map<string, string>();
    for (const part of value.split(',').map((piece) => piece.trim())) {
      if (part === '') continue;
      const [, name, key] = /^([A-Za-z0-9._-]{1,64}):(.+)$/.exec(part) ?? [];
      if (!name || !key) context.addIssue({ code: 'custom', message: 'must be name:key,name:key' });
      else if (key.length < 32)
        context.addIssue({ code: 'custom', message: `the key of ${name} must have at least 32 characters` });
      else if (keys.has(name)) context.addIssue({ code: 'custom', message: `the name ${name} is used twice` });
      else keys.set(name, key);
    }
    return keys;
  });

const keyList = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((key) => key.trim())
      .filter(Boolean),
  )
  .refine((keys) => keys.every((key) => key.length >= 32), 'each key must have at least 32 characters')
  .refine((keys) => keys.length <= 2, 'at most two keys, during a rotation');

/** An address, a range of them, or one of the names Fastify knows. */
function isProxy(value: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(value)) return true;
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  const isRange =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128));
  return family !== 0 && isRange && rest.length === 0;
}

/** `host:port`, an IPv6 address in brackets, as the host of a URL reads. */
function isHostAndPort(value: string): boolean {
  const [, port] = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\]):(\d{1,5})$/.exec(value) ?? [];
  return port !== undefined && Number(port) > 0 && Number(port) < 65536;
}

const Settings = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
    .optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().min(3).default('Officium <no-reply@localhost>'),
  SERVICE_API_KEYS: named,
  WEBHOOK_KEYS: keyList,
  ADMIN_EMAIL: z.email('must be an e-mail address').toLowerCase().optional(),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').max(100).optional(),
  PROVIDER_NAME: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9 ]{0,39}$/, 'must be letters, digits and spaces')
    .default('Officium'),
  STORAGE_URL: z.never('files are kept under DATA_DIR; other stores are not supported yet').optional(),
  TRUSTED_REDIRECTS: z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((piece) => piece.trim())
        .filter(Boolean),
    )
    .pipe(z.array(origin)),
  LINK_PREVIEW_ALLOW: z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((piece) => piece.trim().toLowerCase())
        .filter(Boolean),
    )
    .refine((hosts) => hosts.every(isHostAndPort), 'must be host:port,host:port'),
  TRUST_PROXY: z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((piece) => piece.trim())
        .filter(Boolean),
    )
    .refine((proxies) => proxies.every(isProxy), 'must be addresses, ranges such as 10.0.0.0/8, or loopback'),
  RATE_LIMITS: onOff.default(true),
  DEMO_CONTENT: onOff.optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

export type Config = ReturnType<typeof readConfig>;

/** A setting that is missing, malformed or leads nowhere; the message is one line that names it. */
export class ConfigError extends Error {}

/** Reads the settings; the only reader of the environment. Empty values count as unset. */
export function readConfig(environment: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${String(issue?.path[0] ?? 'The configuration')}: ${issue?.message}`);
  }
  const settings = parsed.data;
  if ((settings.ADMIN_EMAIL === undefined) !== (settings.ADMIN_PASSWORD === undefined))
    throw new ConfigError('ADMIN_PASSWORD: ADMIN_EMAIL and ADMIN_PASSWORD go together');
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`;
  return {
    mode: settings.NODE_ENV,
    port: settings.PORT,
    host: settings.HOST,
    publicUrl,
    secure: publicUrl.startsWith('https:'),
    role: settings.ROLE,
    databaseUrl: settings.DATABASE_URL,
    dataDir: settings.DATA_DIR,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    serviceKeys: settings.SERVICE_API_KEYS,
    webhookKeys: settings.WEBHOOK_KEYS,
    admin:
      settings.ADMIN_EMAIL && settings.ADMIN_PASSWORD
        ? { email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD }
        : undefined,
    providerName: settings.PROVIDER_NAME,
    trustedRedirects: settings.TRUSTED_REDIRECTS,
    linkPreviewAllow: settings.LINK_PREVIEW_ALLOW,
    trustProxy: settings.TRUST_PROXY,
    rateLimits: settings.RATE_LIMITS,
    demoContent: settings.DEMO_CONTENT,
    logLevel: settings.LOG_LEVEL,
  };
}
