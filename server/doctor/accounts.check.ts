import type { Client } from 'pg';
import { isPassword } from '#server/areas/auth/password-hash.service.ts';
import type { Config } from '#server/config.ts';
import { DEMO_ACCOUNTS } from '#server/demo/accounts.ts';
import { DEMO_PASSWORD } from '#server/published-password.ts';
import { advice, type Diagnosis, right, wrong } from './diagnosis.ts';

type Account = { email: string; role: string; password_hash: string | null };

/** Checks the administrator of the settings, and that no stranger knows a password of the demo. */
export async function checkAccounts(config: Config, client: Client): Promise<Diagnosis[]> {
  const { rows } = await client.query<Account>(
    `select email, role, password_hash from users
     where erased_at is null and (role = 'administrator' or email = any($1) or email = $2)`,
    [DEMO_ACCOUNTS, config.admin?.email ?? null],
  );
  const others = rows.filter(({ email, role }) => role === 'administrator' && !isOfDemo(email));
  return [judgeAdministrator(config, rows, others.length), ...(await checkDemo(config, rows))];
}

const isOfDemo = (email: string) => DEMO_ACCOUNTS.some((account) => account === email);

function judgeAdministrator({ admin, isLocal }: Config, accounts: readonly Account[], count: number): Diagnosis {
  const about = 'ADMIN_EMAIL';
  const own = accounts.find(({ email }) => email === admin?.email);
  if (own?.role === 'administrator')
    return advice(
      about,
      'the account exists, so ADMIN_PASSWORD is not used any more',
      'Remove both; where they must be set, as in Compose, replace ADMIN_PASSWORD by a random value.',
    );
  if (own)
    return wrong(
      about,
      'the account exists and is no administrator; a start does not change that',
      `Run npm run admin -- make-administrator, or remove the setting.`,
    );
  if (admin) return right(about, 'the next start creates this administrator');
  if (count > 0) return right('Administrators', `${count} can sign in`);
  if (isLocal && accounts.length > 0) return right('Administrators', 'the one of the demo');
  return wrong(
    about,
    'nobody is an administrator',
    'Set ADMIN_EMAIL and ADMIN_PASSWORD and start again, or run npm run admin -- make-administrator.',
  );
}

async function checkDemo({ isLocal }: Config, accounts: readonly Account[]): Promise<Diagnosis[]> {
  const about = 'Demo accounts';
  const ours = accounts.filter(({ email }) => isOfDemo(email));
  if (isLocal || ours.length === 0) return [];
  for (const { email, password_hash: hash } of ours)
    if (await isPassword(DEMO_PASSWORD, hash))
      return [
        wrong(
          about,
          `${email} has the password that the README publishes, and others reach this product`,
          'Start the product with these settings, which replaces it, or erase the account.',
        ),
      ];
  return [
    advice(
      about,
      `${ours.length} exist where others reach this product`,
      'Remove the demo content under Administration, Site, or erase them under Administration, People.',
    ),
  ];
}
