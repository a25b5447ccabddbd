import { makeAdministrator, makeSignInLink, resetSecondFactorOf } from '#server/areas/auth/operator.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { print, printError, runCommand } from './open.ts';

const USAGE = `Usage: npm run admin -- <command> <e-mail address of an account>
  make-administrator    gives the account every right
  reset-second-factor   removes authenticator app, passkeys and recovery codes
  sign-in-link          prints a link that signs in once`;

/** The exit code of a command on the account of this address. */
type Command = (ctx: Ctx, email: string) => Promise<number>;

function refuseUnknown(email: string): number {
  printError(`No account has the address ${email}. ADMIN_EMAIL and ADMIN_PASSWORD create one at the next start.`);
  return 1;
}

const COMMANDS: Record<string, Command> = {
  async 'make-administrator'(ctx, email) {
    const done = await makeAdministrator(ctx, email);
    if (done === 'unknown') return refuseUnknown(email);
    print(done === 'was-one' ? `${email} is an administrator already.` : `${email} is an administrator now.`);
    return 0;
  },
  async 'reset-second-factor'(ctx, email) {
    if (!(await resetSecondFactorOf(ctx, email))) return refuseUnknown(email);
    print(`${email} has no second factor any more, is signed out everywhere and gets a mail about it.`);
    return 0;
  },
  async 'sign-in-link'(ctx, email) {
    const made = await makeSignInLink(ctx, email);
    if (!made) return refuseUnknown(email);
    print(made.link);
    printError(`It works once, within ${made.expiresInSeconds / 60} minutes. Whoever has it is signed in as ${email}.`);
    return 0;
  },
};

/** `npm run admin -- <command> <address>`: for operators whom the pages do not let in. Each act is in the audit log. */
const [name = '', email = '', ...rest] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command && rest.length === 0 && /^[^\s@]+@[^\s@]+$/.test(email)) {
  await runCommand(async (ctx) => await command(ctx, email.toLowerCase()));
} else {
  printError(USAGE);
  process.exitCode = 2;
}
