import { availableParallelism } from 'node:os';
import { z } from 'zod';
import {
  onOff,
  origin,
  signingKey,
  named,
  words,
  hostNames,
  contentHost,
  contentName,
  keyList,
  serviceAddress,
  modelName,
  isHostAndPort,
  isLoopback,
  isWholeNetwork,
  proxies,
  isPrivateAddress,
  bucketUrl,
  redisUrl,
  sender,
  postgresAddress,
} from './config-values.ts';
import { contentPlatformOf } from './config-content.ts';
import { paymentsOf, privateAddress, stripeKey, stripeWebhookSecret } from './config-payments.ts';
import { groupRolesOf, identityProviderOf } from './config-identity.ts';
import { ConfigError } from './errors.ts';
import { isPublishedPassword } from './published-password.ts';
import type { ModelProvider } from './outside/language-model.ts';

const Settings = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  WEB_PROCESSES: z.coerce.number().int().min(1).max(64).optional(),
  REDIS_URL: redisUrl.optional(),
  DATABASE_URL: postgresAddress.optional(),
  DATABASE_REPLICA_URL: postgresAddress.optional(),
  DATABASE_DIRECT_URL: postgresAddress.optional(),
  DATABASE_PREPARED: onOff.optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: sender.default('Officium <no-reply@localhost>'),
  SERVICE_API_KEYS: named,
  WEBHOOK_KEYS: keyList,
  CONTENT_SPACE: contentName.optional(),
  CONTENT_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be a token without spaces')
    .optional(),
  CONTENT_HOST: contentHost.optional(),
  CONTENT_ENVIRONMENT: contentName.optional(),
  ADMIN_EMAIL: z.email('must be an e-mail address').toLowerCase().optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(100)
    .refine((value) => !isPublishedPassword(value), 'must not be the password of the demo')
    .optional(),
  PROVIDER_NAME: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9 ]{0,39}$/, 'must be letters, digits and spaces')
    .optional(),
  CREDENTIAL_KEY: signingKey.optional(),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  ADMIN_SECOND_FACTOR: z.enum(['required', 'screens', 'optional']).optional(),
  STORAGE_URL: bucketUrl.optional(),
  MAX_MEDIA_MB: z.coerce.number().int().min(1).max(5000, 'must be at most 5000').default(2048),
  MEDIA_MB_A_PERSON: z.coerce.number().int().min(1).max(1_000_000_000).default(20_480),
  MEDIA_MB_TOTAL: z.coerce.number().int().min(1).max(1_000_000_000).default(204_800),
  TRUSTED_REDIRECTS: words.pipe(z.array(origin)),
  EMBED_PEERTUBE_HOSTS: hostNames,
  LINK_PREVIEW_ALLOW: words
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .refine((hosts) => hosts.every(isHostAndPort), 'must be host:port,host:port'),
  PUSH_ALLOW: words
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .refine((hosts) => hosts.every(isHostAndPort), 'must be host:port,host:port'),
  TRANSLATION_PROVIDER: z.enum(['ai', 'apertium'], 'must be ai or apertium').optional(),
  APERTIUM_URL: serviceAddress.optional(),
  AI_PROVIDER: z
    .enum(['google', 'openai-compatible'], 'must be google or openai-compatible, or unset for answers without a model')
    .optional(),
  AI_BASE_URL: serviceAddress.optional(),
  AI_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be a key without spaces')
    .optional(),
  AI_MODEL_FAST: modelName.optional(),
  AI_MODEL_PRO: modelName.optional(),
  AI_TOKENS_A_PERSON: z.coerce.number().int().min(0).max(100_000_000).default(100_000),
  AI_TOKENS_A_DAY: z.coerce.number().int().min(0).max(1_000_000_000_000).default(2_000_000),
  STRIPE_SECRET_KEY: stripeKey.optional(),
  STRIPE_WEBHOOK_SECRET: stripeWebhookSecret.optional(),
  STRIPE_API_HOST: privateAddress.optional(),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an https address' })
    .refine(isPrivateAddress, 'must be an https address')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().trim().min(1).max(60, 'must have at most 60 characters').optional(),
  OIDC_SCOPES: z
    .string()
    .default('openid email profile')
    .refine((scopes) => scopes.split(' ').includes('openid'), 'must include openid'),
  OIDC_GROUPS_CLAIM: z.string().min(1).default('groups'),
  OIDC_ADMINISTRATOR_GROUPS: words,
  OIDC_PUBLIC_SERVANT_GROUPS: words,
  OIDC_TRUST_EMAIL: onOff.default(false),
  TRUST_PROXY: proxies,
  METRICS_PORT: z.coerce.number().int().min(1).max(65535).optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,}$/, 'must have at least 32 characters and no spaces')
    .optional(),
  RATE_LIMITS: onOff.default(true),
  SHED_LOAD: onOff.default(true),
  DEMO_CONTENT: onOff.optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

const MIB = 1024 * 1024;

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(Settings.shape);

export type Config = ReturnType<typeof readConfig>;

/** The provider of the language model; undefined when none is configured. */
function modelProviderOf(settings: z.output<typeof Settings>): ModelProvider | undefined {
  const { AI_PROVIDER: kind, AI_BASE_URL, AI_API_KEY, AI_MODEL_FAST, AI_MODEL_PRO } = settings;
  const others = Object.entries({ AI_BASE_URL, AI_API_KEY, AI_MODEL_FAST, AI_MODEL_PRO });
  if (kind === undefined) {
    const [lone] = others.find(([, value]) => value !== undefined) ?? [];
    if (lone !== undefined) throw new ConfigError(`AI_PROVIDER: is required with ${lone}`);
    return undefined;
  }
  if (AI_MODEL_FAST === undefined) throw new ConfigError('AI_MODEL_FAST: is required with AI_PROVIDER');
  if (kind === 'google' && AI_API_KEY === undefined)
    throw new ConfigError('AI_API_KEY: is required with AI_PROVIDER=google');
  if (kind === 'openai-compatible' && AI_BASE_URL === undefined)
    throw new ConfigError('AI_BASE_URL: is required with AI_PROVIDER=openai-compatible');
  const models = { fast: AI_MODEL_FAST, pro: AI_MODEL_PRO ?? AI_MODEL_FAST };
  return { kind, baseUrl: AI_BASE_URL, apiKey: AI_API_KEY, models };
}

/** The translation provider: the named one, else a language model if there is one. */
function translationOf(
  { TRANSLATION_PROVIDER: named, APERTIUM_URL: url }: z.output<typeof Settings>,
  ai: ModelProvider | undefined,
): { provider: 'ai' } | { provider: 'apertium'; url: string } | undefined {
  if (named === 'apertium') {
    if (url === undefined) throw new ConfigError('APERTIUM_URL: is required with TRANSLATION_PROVIDER=apertium');
    return { provider: named, url };
  }
  if (url !== undefined) throw new ConfigError('TRANSLATION_PROVIDER: must be apertium with APERTIUM_URL');
  if (named === 'ai' && !ai) throw new ConfigError('AI_PROVIDER: is required with TRANSLATION_PROVIDER=ai');
  return ai && { provider: 'ai' };
}

/** More processes share a limit of 100 connections badly; set WEB_PROCESSES on larger machines. */
const USUAL_PROCESSES = 8;

/**
 * The number of serving processes: one per core. One in development, where pages are built on request, and for jobs
 * alone.
 */
function processesOf({ NODE_ENV, ROLE, WEB_PROCESSES }: z.output<typeof Settings>): number {
  if (NODE_ENV === 'development' || ROLE === 'worker') return 1;
  return WEB_PROCESSES ?? (NODE_ENV === 'production' ? Math.min(availableParallelism(), USUAL_PROCESSES) : 1);
}

/**
 * Whether only this machine can reach the product, as far as the settings tell. Only then may the demo accounts have
 * their published password.
 */
function isLocalOnly({ PUBLIC_URL, HOST, TRUST_PROXY, ADMIN_EMAIL }: z.output<typeof Settings>): boolean {
  const isPublic = PUBLIC_URL !== undefined && !isLoopback(new URL(PUBLIC_URL).hostname);
  return !isPublic && isLoopback(HOST) && TRUST_PROXY === false && ADMIN_EMAIL === undefined;
}

/** When the demo is loaded: at each start, never, or into an empty embedded database. */
function demoContentOf({ DEMO_CONTENT, DATABASE_URL }: z.output<typeof Settings>, isLocal: boolean) {
  if (DEMO_CONTENT !== undefined) return DEMO_CONTENT ? 'always' : 'never';
  return isLocal && DATABASE_URL === undefined ? 'when-empty' : 'never';
}

/** Refuses settings that need another one. */
function requireTogether(settings: z.output<typeof Settings>): void {
  if ((settings.ADMIN_EMAIL === undefined) !== (settings.ADMIN_PASSWORD === undefined))
    throw new ConfigError('ADMIN_PASSWORD: must be set together with ADMIN_EMAIL');
  if ((settings.OIDC_ISSUER === undefined) !== (settings.OIDC_CLIENT_ID === undefined))
    throw new ConfigError('OIDC_CLIENT_ID: must be set together with OIDC_ISSUER');
  for (const name of ['DATABASE_REPLICA_URL', 'DATABASE_DIRECT_URL'] as const)
    if (settings[name] !== undefined && settings.DATABASE_URL === undefined)
      throw new ConfigError(`DATABASE_URL: is required with ${name}`);
}

/** Refuses a proxy setting that would let strangers choose their address. */
function requireKnownProxy({ TRUST_PROXY, PUBLIC_URL }: z.output<typeof Settings>): void {
  const wholeNetwork = Array.isArray(TRUST_PROXY) && TRUST_PROXY.find(isWholeNetwork);
  if (wholeNetwork && PUBLIC_URL?.startsWith('https:'))
    throw new ConfigError(
      `TRUST_PROXY: ${wholeNetwork} lets everybody in a whole network choose their address; name the address of the proxy, or how many proxies are in front`,
    );
}

/** The settings of the environment, each valid and in accord with the others. Empty values count as unset. */
function parseSettings(environment: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${String(issue?.path[0] ?? 'The configuration')}: ${issue?.message}`);
  }
  const settings = parsed.data;
  requireTogether(settings);
  const ai = modelProviderOf(settings);
  if (settings.METRICS_PORT === settings.PORT) throw new ConfigError('METRICS_PORT: must differ from PORT');
  requireKnownProxy(settings);
  return { settings, ai, given: new Set(Object.keys(given)) };
}

/** Reads the settings; the only reader of the environment. */
export function readConfig(environment: Record<string, string | undefined>) {
  const { settings, ai, given } = parseSettings(environment);
  const isLocal = isLocalOnly(settings);
  const demoContent = demoContentOf(settings, isLocal);
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`;
  return {
    mode: settings.NODE_ENV,
    port: settings.PORT,
    host: settings.HOST,
    publicUrl,
    secure: publicUrl.startsWith('https:'),
    role: settings.ROLE,
    processes: processesOf(settings),
    databaseUrl: settings.DATABASE_URL,
    redis: settings.REDIS_URL,
    databaseReplicaUrl: settings.DATABASE_REPLICA_URL,
    /** The address that bypasses the pooler of DATABASE_URL; undefined without one. */
    databaseDirectUrl: settings.DATABASE_DIRECT_URL,
    /** Whether statements may be prepared by name, which old poolers do not support. */
    preparesStatements: settings.DATABASE_PREPARED ?? settings.DATABASE_DIRECT_URL === undefined,
    dataDir: settings.DATA_DIR,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    serviceKeys: settings.SERVICE_API_KEYS,
    webhookKeys: settings.WEBHOOK_KEYS,
    contentPlatform: contentPlatformOf(settings),
    admin:
      settings.ADMIN_EMAIL && settings.ADMIN_PASSWORD
        ? { email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD }
        : undefined,
    adminSecondFactor: settings.ADMIN_SECOND_FACTOR ?? (isLocal && demoContent !== 'never' ? 'optional' : 'screens'),
    secretKey: settings.SECRET_KEY,
    providerName: settings.PROVIDER_NAME ?? 'Officium',
    /** PROVIDER_NAME is set, and wins over the name chosen in the administration. */
    isNameSet: settings.PROVIDER_NAME !== undefined,
    credentialKey: settings.CREDENTIAL_KEY,
    identityProvider: identityProviderOf(settings),
    payments: paymentsOf(settings),
    groupRoles: groupRolesOf(settings),
    bucket: settings.STORAGE_URL,
    maxMediaBytes: settings.MAX_MEDIA_MB * MIB,
    /** Space for uploads, in bytes. */
    mediaSpace: { aPerson: settings.MEDIA_MB_A_PERSON * MIB, total: settings.MEDIA_MB_TOTAL * MIB },
    trustedRedirects: settings.TRUSTED_REDIRECTS,
    translation: translationOf(settings, ai),
    peertubeHosts: settings.EMBED_PEERTUBE_HOSTS,
    linkPreviewAllow: settings.LINK_PREVIEW_ALLOW,
    pushAllow: settings.PUSH_ALLOW,
    trustProxy: settings.TRUST_PROXY,
    ai,
    aiTokens: { aPerson: settings.AI_TOKENS_A_PERSON, aDay: settings.AI_TOKENS_A_DAY },
    metricsPort: settings.METRICS_PORT,
    metricsToken: settings.METRICS_TOKEN,
    rateLimits: settings.RATE_LIMITS,
    shedLoad: settings.SHED_LOAD,
    isLocal,
    demoContent,
    logLevel: settings.LOG_LEVEL,
    /** The names of the settings that the environment gives. */
    given,
  };
}
