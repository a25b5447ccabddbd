import type { DemoContent } from '@officium/contract/demo-content';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { addressOfStep } from './setup-words.ts';

/** Whether a removal would do something: accounts can be left when one of them asked for the first removal. */
export const isDemoHere = ({ state, accounts }: DemoContent) =>
  state === 'present' || state === 'removing' || (state === 'removed' && accounts > 0);

const hasForm = (demo: DemoContent) => isDemoHere(demo) && demo.state !== 'removing';

/** Shows the rest of the demo and its users, and removes it after the name of the site is typed. */
export function Demo({ demo, siteName }: { demo: DemoContent; siteName: string }) {
  const { t } = useText();
  if (demo.state === 'removing')
    return (
      <div className="grid justify-items-start gap-3">
        <p>{t('admin.demo_removing')}</p>
        <LinkButton to={addressOfStep('demo')} look="secondary">
          {t('admin.demo_progress')}
        </LinkButton>
      </div>
    );
  return (
    <>
      <p>{t(demo.state === 'removed' ? 'admin.demo_removed' : 'admin.demo_text')}</p>
      {hasForm(demo) ? (
        <>
          <Holdings demo={demo} />
          <Removal siteName={siteName} />
        </>
      ) : null}
      {demo.keepsOwn ? <p>{t('admin.demo_own')}</p> : null}
    </>
  );
}

function Holdings({ demo: { pieces, accounts, sitePages, learners, members } }: { demo: DemoContent }) {
  const { t, number } = useText();
  const rows = [
    ...pieces.map(({ kind, count }) => ({ label: t(`admin.content_kind_${kind}`), count })),
    { label: t('admin.demo_site_pages'), count: sitePages },
    { label: t('admin.demo_accounts'), count: accounts },
    { label: t('admin.demo_learners'), count: learners },
    { label: t('admin.demo_members'), count: members },
  ];
  return (
    <dl className="divide-y divide-line border-y border-line">
      {rows.map(({ label, count }) => (
        <div key={label} className="flex items-baseline justify-between gap-x-6 py-2">
          <dt>{label}</dt>
          <dd className="tabular-nums">{number(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Removal({ siteName }: { siteName: string }) {
  const { t, rich } = useText();
  const { isSubmitting } = useSubmitting('remove-demo');
  return (
    <section aria-labelledby="remove-demo" className="rounded border border-line p-5">
      <h2 id="remove-demo" className="text-2xl">
        {t('admin.demo_remove')}
      </h2>
      <p className="mt-2">{t('admin.demo_remove_text')}</p>
      <SmartForm intent="remove-demo" className="mt-5 grid max-w-md gap-5">
        <Field
          name="name"
          label={rich('admin.demo_confirm', { name: <strong dir="auto">{siteName}</strong> })}
          autoComplete="off"
          required
          dir="auto"
        />
        <div>
          <Button look="danger" isBusy={isSubmitting}>
            {t('admin.demo_remove')}
          </Button>
        </div>
      </SmartForm>
    </section>
  );
}

/** Leads from the settings of the site to the removal, while there is something to remove. */
export function DemoLink({ demo }: { demo: DemoContent }) {
  const { t } = useText();
  if (!isDemoHere(demo)) return null;
  return (
    <section aria-labelledby="demo" className="mt-12 border-t border-line pt-8">
      <h2 id="demo" className="text-2xl">
        {t('admin.demo')}
      </h2>
      <p className="mt-2 mb-4 max-w-prose">
        {t(demo.state === 'removing' ? 'admin.demo_removing' : 'admin.demo_text')}
      </p>
      <LinkButton to={addressOfStep('demo')} look="secondary">
        {t('admin.demo_open')}
      </LinkButton>
    </section>
  );
}
