import { type Config, readConfig, SETTING_NAMES } from '#server/config.ts';
import { ConfigError } from '#server/errors.ts';
import { advice, type Diagnosis, right, wrong } from './diagnosis.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Names that other products use for our settings. */
const OTHER_NAMES: Record<string, string> = {
  APP_SECRET: 'SECRET_KEY',
  APP_URL: 'PUBLIC_URL',
  BASE_URL: 'PUBLIC_URL',
  DATABASE_URI: 'DATABASE_URL',
  DB_URL: 'DATABASE_URL',
  EMAIL_FROM: 'MAIL_FROM',
  MAIL_URL: 'SMTP_URL',
  POSTGRES_URL: 'DATABASE_URL',
  S3_BUCKET: 'STORAGE_URL',
  S3_URL: 'STORAGE_URL',
  SECRET_KEY_BASE: 'SECRET_KEY',
  SITE_URL: 'PUBLIC_URL',
  SMTP_FROM: 'MAIL_FROM',
  SMTP_HOST: 'SMTP_URL',
  SMTP_SERVER: 'SMTP_URL',
  TRUSTED_PROXIES: 'TRUST_PROXY',
};
/** Shorter names are close to too many others. */
const SHORTEST_GUESS = 7;
const FARTHEST_GUESS = 2;

/** The number of letters to insert, delete, replace or swap. */
function distance(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1)); // within both rows
      row.push(isSwap ? Math.min(least, before[j - 2]! + 1) : least); // two rows back
    }
    [before, last] = [last, row];
  }
  return last[other.length]!; // the last column
}

const wordsOf = (name: string) => name.split('_').sort().join('_');

/** The setting that an unknown name is probably meant to be. */
function guess(name: string): string | undefined {
  const bare = name.replace(/^OFFICIUM_/, '');
  if (SETTING_NAMES.includes(bare)) return bare;
  const known = OTHER_NAMES[bare] ?? SETTING_NAMES.find((setting) => wordsOf(setting) === wordsOf(bare));
  if (known !== undefined || bare.length < SHORTEST_GUESS) return known;
  return SETTING_NAMES.map((setting) => ({ setting, far: distance(bare, setting) }))
    .filter(({ setting, far }) => far <= FARTHEST_GUESS && setting.length >= SHORTEST_GUESS)
    .sort((one, other) => one.far - other.far)[0]?.setting;
}

/** Unknown names in the environment that look like a misspelling of a setting. */
export function findMisspelt(environment: Environment): Diagnosis[] {
  return Object.keys(environment).flatMap((name) => {
    if (SETTING_NAMES.includes(name) || environment[name] === '') return [];
    const meant = guess(name.toUpperCase());
    if (meant === undefined) return [];
    if (environment[meant]) return [advice(name, `is no setting; ${meant} is set too`, `Remove ${name}.`)];
    return [wrong(name, `is no setting: did you mean ${meant}?`, `Rename ${name} to ${meant}.`)];
  });
}

/**
 * The configuration without its invalid settings, so that one mistake does not hide the others. `config` is undefined
 * when nothing usable remains.
 */
export function readUsable(environment: Environment): { config: Config | undefined; findings: Diagnosis[] } {
  const usable = { ...environment };
  const findings: Diagnosis[] = [];
  const remedy = 'Correct it; docs/configuration.md describes each setting.';
  for (;;) {
    try {
      const config = readConfig(usable);
      if (findings.length === 0) findings.push(right('Settings', 'all are valid'));
      return { config, findings };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const [, name = '', message = error.message] = /^([A-Z][A-Z_]+): (.+)$/.exec(error.message) ?? [];
      // A setting that was refused makes those that need it look wrong too.
      if (!findings.some(({ about }) => about === name)) findings.push(wrong(name, message, remedy));
      const needing = SETTING_NAMES.find((one) => usable[one] && new RegExp(`\\b${one}\\b`).test(message));
      const dropped = usable[name] ? name : needing;
      if (dropped === undefined) return { config: undefined, findings };
      delete usable[dropped];
    }
  }
}
