import type { Config } from '#server/config.ts';
import { checkAddress } from './address.check.ts';
import { checkDatabase } from './database.check.ts';
import { checkFiles } from './files.check.ts';
import { type Diagnosis, wrong } from './diagnosis.ts';
import { judgeMachine, type Machine, readMachine } from './machine.check.ts';
import { checkMail } from './mail.check.ts';
import { checkRedis } from './redis.check.ts';
import { checkSecrets } from './secrets.check.ts';
import { checkServices } from './services.check.ts';
import { type Environment, findMisspelt, readUsable } from './settings.check.ts';
import { checkSignIn } from './sign-in.check.ts';

export type Section = { title: string; findings: Diagnosis[] };
export type Examination = { sections: Section[]; isWell: boolean };
export type ExamineOptions = {
  /** Sends a test message to this address. */
  mail?: string | undefined;
  /** Replaces what is read of this machine. */
  machine?: Machine;
};

/** One silent service must not hold up the report. */
const LONGEST_MS = 45_000;

async function within(title: string, check: Promise<Diagnosis[]> | Diagnosis[]): Promise<Section> {
  const { promise: late, resolve } = Promise.withResolvers<Diagnosis[]>();
  const timer = setTimeout(
    () => resolve([wrong(title, 'did not answer in time', 'Check its address and the firewall.')]),
    LONGEST_MS,
  );
  try {
    return { title, findings: await Promise.race([check, late]) };
  } catch (error) {
    const { name = 'error', code } = error as { name?: string; code?: unknown }; // a message might contain an address
    return { title, findings: [wrong(title, `the check failed (${String(code ?? name)})`, 'Report this as a bug.')] };
  } finally {
    clearTimeout(timer);
  }
}

/** Checks every setting against the real service behind it. Changes nothing that outlasts it. */
export async function examine(environment: Environment, options: ExamineOptions = {}): Promise<Examination> {
  const { config, findings } = readUsable(environment);
  const settings = { title: 'Settings', findings: [...findings, ...findMisspelt(environment)] };
  const sections = [settings, ...(config ? await examineServices(config, environment, options) : [])].filter(
    (section) => section.findings.length > 0,
  );
  const isWell = !sections.some((section) => section.findings.some(({ verdict }) => verdict === 'wrong'));
  return { sections, isWell };
}

async function examineServices(
  config: Config,
  environment: Environment,
  { mail, machine }: ExamineOptions,
): Promise<Section[]> {
  return await Promise.all([
    within('Machine', judgeMachine(machine ?? (await readMachine()), config)),
    within('Address', checkAddress(config, environment)),
    within('Database', checkDatabase(config)),
    within('Files', checkFiles(config)),
    within('Mail', checkMail(config, mail)),
    within('Sign-in by your organisation', checkSignIn(config)),
    within('Redis', checkRedis(config)),
    within('Other services', checkServices(config)),
    within('Secrets', checkSecrets(config, environment)),
  ]);
}
