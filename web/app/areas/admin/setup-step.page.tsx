import { data, Link } from 'react-router';
import { readDemoContent } from '@officium/contract/demo-content';
import { SITE_PAGES } from '@officium/contract/site';
import { readSitePageTexts, readSiteSettings } from '@officium/contract/site-settings';
import { readServerSettings, readSiteSetup, SETUP_STEPS } from '@officium/contract/site-setup';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import type { Route } from './+types/setup-step.page';
import { actOnStep } from './setup-step.act.ts';
import { hasFields, StepAside, StepFields } from './setup-step-fields.tsx';
import { STEP_TITLES } from './setup-words.ts';

function stepOf(given: string) {
  const step = SETUP_STEPS.find((one) => one === given);
  if (step === undefined) throw data(null, { status: 404 });
  return step;
}

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context);
  const step = stepOf(params.step);
  const [settings, server, { steps }, demo, pages] = await Promise.all([
    api(readSiteSettings),
    api(readServerSettings),
    api(readSiteSetup),
    step === 'demo' ? api(readDemoContent) : null,
    step === 'pages'
      ? Promise.all(SITE_PAGES.map(async (kind) => await api(readSitePageTexts, { params: { kind } })))
      : [],
  ]);
  const number = steps.findIndex((one) => one.step === step) + 1;
  if (number === 0) throw data(null, { status: 404 });
  return {
    step,
    number,
    total: steps.length,
    demo,
    settings,
    server: server.settings,
    pages: pages.map(({ kind, texts }) => ({
      kind,
      written: texts.flatMap(({ locale, body }) => (body === '' ? [] : [locale])),
    })),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const step = stepOf(params.step);
  return await actOnStep(await act(request, context), step);
}

function buttonOf({ step, demo }: Pick<Route.ComponentProps['loaderData'], 'step' | 'demo'>) {
  if (hasFields(step)) return 'admin.setup_save';
  return demo?.state === 'present' ? 'admin.demo_keep' : 'learning.continue';
}

export default function SetupStepPage({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { step, settings, number, total } = loaderData;
  const { isSubmitting } = useSubmitting();
  return (
    <Admin
      title={t(STEP_TITLES[step])}
      intro={t('admin.setup_step', { number, total })}
      crumb={
        <p className="mb-2">
          <Link to="/admin/setup" className="link inline-block py-1.5">
            {t('admin.setup_all')}
          </Link>
        </p>
      }
    >
      <div key={step} className="grid max-w-2xl gap-8">
        <StepAside {...loaderData} />
        <SmartForm key={settings.version} intent="save" id="step" className="grid gap-6">
          <input type="hidden" name="version" value={settings.version} />
          <StepFields {...loaderData} />
        </SmartForm>
        <div className="flex flex-wrap gap-3">
          <Button form="step" isBusy={isSubmitting}>
            {t(buttonOf(loaderData))}
          </Button>
          <SmartForm intent="skip">
            <Button look="secondary" isBusy={isSubmitting}>
              {t('admin.setup_skip')}
            </Button>
          </SmartForm>
        </div>
      </div>
    </Admin>
  );
}
