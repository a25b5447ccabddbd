import { readCohort } from '@officium/contract/admin';
import {
  MAX_INVITATION_WORDS,
  previewInvitationMail,
  readCohortSettings,
  updateCohortSettings,
} from '@officium/contract/cohort-settings';
import type { ReplyOf } from '@officium/contract/endpoint';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import type { Route } from './+types/cohort-invitation-mail.page';
import { CohortFrame } from './cohort-frame.tsx';
import { loadAdmin } from '../../admin/load.ts';

type Mail = ReplyOf<typeof previewInvitationMail>;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await loadAdmin(request, context, 'manage-cohort');
  const [cohort, { invitationWords }, mail] = await Promise.all([
    api(readCohort, { params }),
    api(readCohortSettings, { params }),
    api(previewInvitationMail, { params, query: { locale }, body: {} }),
  ]);
  return { cohort, words: invitationWords ?? '', mail };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields, locale } = await act(request, context);
  const words = textOf(fields, 'invitationWords').replaceAll('\r\n', '\n');
  if (textOf(fields, 'intent') === 'preview') {
    const shown = await attempt(previewInvitationMail, { params, query: { locale }, body: { invitationWords: words } });
    return shown.ok ? { words, mail: shown.body } : shown.refusal;
  }
  const saved = await attempt(updateCohortSettings, { params, body: { invitationWords: words } });
  return saved.ok
    ? redirectWith(`/admin/cohorts/${params.id}/invitations/mail`, { key: 'common.saved' })
    : saved.refusal;
}

export default function CohortInvitationMail({ loaderData, actionData }: Route.ComponentProps) {
  const { cohort } = loaderData;
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  const shown = actionData && 'mail' in actionData ? actionData : loaderData;
  return (
    <CohortFrame cohort={cohort} tab="/invitations">
      <h2 className="text-2xl">{t('admin.cohorts_mail')}</h2>
      <p className="mt-1 mb-5 max-w-prose text-muted">{t('admin.cohorts_mail_text')}</p>
      <SmartForm className="grid max-w-xl gap-5" preventScrollReset>
        <TextArea
          name="invitationWords"
          label={t('admin.cohorts_remind_words')}
          hint={t('admin.cohorts_mail_hint')}
          defaultValue={shown.words}
          maxLength={MAX_INVITATION_WORDS}
          rows={6}
          dir="auto"
        />
        <div className="flex flex-wrap gap-3">
          <Button isBusy={isSubmitting}>{t('common.save')}</Button>
          <Button name="intent" value="preview" look="secondary">
            {t('common.preview')}
          </Button>
          <LinkButton to={`/admin/cohorts/${cohort.id}/invitations`} look="quiet">
            {t('common.cancel')}
          </LinkButton>
        </div>
      </SmartForm>
      <Preview mail={shown.mail} />
    </CohortFrame>
  );
}

function Preview({ mail: { subject, paragraphs, action, footer } }: { mail: Mail }) {
  const { t } = useText();
  return (
    <section aria-labelledby="mail-preview" aria-live="polite" className="mt-10 max-w-xl">
      <h3 id="mail-preview" className="text-xl">
        {t('common.preview')}
      </h3>
      <p className="mt-1 text-sm text-muted">{t('admin.cohorts_mail_preview_text')}</p>
      <div className="mt-4 rounded border border-line bg-card p-5">
        <p className="wrap-anywhere">
          <span className="text-muted">{t('admin.cohorts_mail_subject')}: </span>
          <strong dir="auto">{subject}</strong>
        </p>
        <hr className="my-4 border-line" />
        {paragraphs.map((paragraph, nth) => (
          <p key={nth} dir="auto" className="mt-3 whitespace-pre-line wrap-anywhere first:mt-0">
            {paragraph}
          </p>
        ))}
        <p className="mt-5">
          <span className="inline-block rounded bg-accent px-5 py-2 font-semibold text-on-accent">{action}</span>
        </p>
        <p className="mt-5 border-t border-line pt-4 text-sm text-muted">{footer}</p>
      </div>
    </section>
  );
}
