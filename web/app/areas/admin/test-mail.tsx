import { useActionData, useRouteLoaderData } from 'react-router';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { sendTestMail } from '@officium/contract/site-setup';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import type { RootData } from '../../root-data.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

type Sent = { testMail: ReplyOf<typeof sendTestMail> };

/** Sends a test message and shows what the mail server answered. */
export function TestMail() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('test-mail');
  const answer = useActionData<object>();
  const email = useRouteLoaderData<RootData>('root')?.viewer?.email ?? '';
  return (
    <SmartForm intent="test-mail" className="grid gap-3">
      {answer && 'testMail' in answer ? <Outcome sent={(answer as Sent).testMail} /> : null}
      <p className="text-sm text-muted">{t('admin.setup_mail_test_hint', { email })}</p>
      <div>
        <Button look="secondary" isBusy={isSubmitting}>
          {t('admin.setup_mail_test')}
        </Button>
      </div>
    </SmartForm>
  );
}

const TONES = { accepted: 'success', stored: 'info', refused: 'danger', unreachable: 'danger' } as const;

function Outcome({ sent: { outcome, answer, to } }: { sent: Sent['testMail'] }) {
  const { t } = useText();
  return (
    <Notice tone={TONES[outcome]} live>
      <p>{t(`admin.setup_mail_${outcome}`, { email: to })}</p>
      {answer === null ? null : (
        <p className="mt-1 wrap-anywhere">
          <q lang="en" dir="ltr">
            {answer}
          </q>
        </p>
      )}
    </Notice>
  );
}
