import { removeDemoContent } from '@officium/contract/demo-content';
import type { SiteIdentity } from '@officium/contract/site';
import { readSiteSettings, updateSiteSettings } from '@officium/contract/site-settings';
import { sendTestMail, type SetupStep, type SiteSetup, updateSetupStep } from '@officium/contract/site-setup';
import { optionalOf, textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import type { act } from '../../server/api.ts';
import { redirect } from '../../server/redirect.ts';
import { languagesOf } from './language-form.ts';
import { changeLogo, themeOf } from './site-logo.act.ts';
import { addressOfStep, isFinished } from './setup-words.ts';

type Acting = Awaited<ReturnType<typeof act>>;

/** The settings that a step changes; undefined for steps whose settings have pages or forms of their own. */
function changeOf(step: SetupStep, fields: FormData): Partial<SiteIdentity> | undefined {
  switch (step) {
    case 'name':
      return {
        ...(fields.has('identity.name') ? { name: optionalOf(fields, 'identity.name') ?? null } : {}),
        contact: optionalOf(fields, 'identity.contact') ?? null,
      };
    case 'colour':
      return { accent: optionalOf(fields, 'identity.accent') ?? null };
    case 'languages':
      return languagesOf(fields);
    default:
      return undefined;
  }
}

/** The step after this one; after the last, the list of all. */
function afterStep(step: SetupStep, setup: SiteSetup): Response {
  const next = setup.steps[setup.steps.findIndex((one) => one.step === step) + 1];
  if (next) return redirect(addressOfStep(next.step));
  return isFinished(setup) ? redirectWith('/admin', { key: 'admin.setup_finished' }) : redirect('/admin/setup');
}

/** Saves, skips, uploads a logo, sends a test message or removes the demo. */
export async function actOnStep({ api, attempt, fields }: Acting, step: SetupStep) {
  const intent = textOf(fields, 'intent');
  if (intent === 'test-mail') {
    const sent = await attempt(sendTestMail);
    return sent.ok ? { testMail: sent.body } : sent.refusal;
  }
  if (intent === 'remove-demo') {
    const removal = await attempt(removeDemoContent, { body: { name: textOf(fields, 'name') } });
    return removal.ok ? redirect(addressOfStep('demo')) : removal.refusal;
  }
  const theme = themeOf(intent);
  if (theme) {
    const settings = await api(readSiteSettings);
    return await changeLogo({ attempt, fields, settings, theme, intent, back: addressOfStep(step) });
  }
  const change = intent === 'skip' ? undefined : changeOf(step, fields);
  if (change) {
    const { identity } = await api(readSiteSettings);
    const body = { version: Number(textOf(fields, 'version')), identity: { ...identity, ...change } };
    const saved = await attempt(updateSiteSettings, { body });
    if (!saved.ok) return saved.refusal;
  }
  const outcome = intent === 'skip' ? 'skipped' : 'done';
  const setup = await attempt(updateSetupStep, { params: { step }, body: { outcome } });
  return setup.ok ? afterStep(step, setup.body) : setup.refusal;
}
