import { isLoopback } from '#server/config-values.ts';
import type { Config } from '#server/config.ts';
import { advice, type Diagnosis, right, wrong } from './diagnosis.ts';
import type { Environment } from './settings.check.ts';

const SECRETS = [
  'SECRET_KEY',
  'ADMIN_PASSWORD',
  'PGPASSWORD',
  'SERVICE_API_KEYS',
  'WEBHOOK_KEYS',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'AWS_SECRET_ACCESS_KEY',
] as const;
/** Words of examples and placeholders. */
const PLACEHOLDER =
  /change.?me|placeholder|example|your.?(?:secret|key|password)|or more random characters|^<|password|^secret/i;
const FEWEST_LETTERS = 10;
const LONG = 32;
const EXAMPLE_ADDRESS = /^[^@]+@(?:[^@]+\.)?example(?:\.\w+)?$/;

/** Checks that secrets were made and not copied, without naming any. */
export function checkSecrets(config: Config, environment: Environment): Diagnosis[] {
  const given = SECRETS.filter((name) => environment[name]);
  const found = given.flatMap((name) => judgeSecret(name, environment[name] ?? ''));
  for (const name of given) {
    const twin = given.find((other) => other < name && environment[other] === environment[name]);
    if (twin) found.push(wrong(name, `is the same as ${twin}`, 'Create another: openssl rand -base64 33'));
  }
  if (given.length > 0 && found.length === 0) found.push(right('Secrets', `${given.length} look random`));
  return [...found, ...judgeExamples(config, environment), judgeKey(config), judgeMetrics(config)];
}

function judgeSecret(name: string, value: string): Diagnosis[] {
  const remedy = 'Create one with: openssl rand -base64 33';
  if (PLACEHOLDER.test(value)) return [wrong(name, 'is a value of an example', remedy)];
  const isPassword = name === 'ADMIN_PASSWORD' || value.length < LONG;
  return !isPassword && new Set(value).size < FEWEST_LETTERS
    ? [wrong(name, 'has few different characters, so it can be guessed', remedy)]
    : [];
}

/** Values that stand in the files of deploy/. */
function judgeExamples({ admin, isLocal }: Config, environment: Environment): Diagnosis[] {
  if (isLocal) return [];
  const remedy = 'Replace it by your own.';
  const smtp = URL.parse(environment['SMTP_URL'] ?? '');
  return [
    ...(smtp?.password === 'password' ? [wrong('SMTP_URL', 'has the password of the example file', remedy)] : []),
    ...(admin && EXAMPLE_ADDRESS.test(admin.email)
      ? [wrong('ADMIN_EMAIL', 'is the address of the example file: nobody gets its mails', remedy)]
      : []),
  ];
}

function judgeKey({ secretKey, bucket, isLocal }: Config): Diagnosis {
  const about = 'SECRET_KEY';
  if (secretKey !== undefined) return right(about, 'is set; keep it apart from backups of the database');
  if (bucket && !isLocal)
    return wrong(
      about,
      'is not set, so each host makes its own: second factors work on one host only',
      'Set the same on every host: openssl rand -base64 33',
    );
  return right(about, 'kept in DATA_DIR/secret.key; back it up apart from the database');
}

function judgeMetrics({ metricsPort, metricsToken, host }: Config): Diagnosis {
  if (metricsPort === undefined && metricsToken === undefined)
    return right('METRICS_PORT', 'not set: only this machine may read /metrics');
  if (metricsToken === undefined && !isLoopback(host))
    return advice(
      'METRICS_PORT',
      `whoever reaches port ${metricsPort} may read the metrics`,
      'Let only Prometheus reach it, or set METRICS_TOKEN.',
    );
  return right('METRICS_TOKEN', metricsToken === undefined ? 'not needed on this machine' : 'protects /metrics');
}
