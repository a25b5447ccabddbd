import { listMails, MAIL_STATUSES, retryMail, type OutgoingMail } from '@officium/contract/operations';
import { readServerSettings, sendTestMail } from '@officium/contract/site-setup';
import type { z } from 'zod';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/operations-mails.page';
import { Admin } from '../../admin/admin.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';
import { mailStatusOf } from './mail-status.ts';
import { OperationsTabs } from './operations-tabs.tsx';
import { ServerSettings } from './server-settings.tsx';
import { TestMail } from './test-mail.tsx';

type Mail = z.output<typeof OutgoingMail>;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context);
  const { page, limit, offset, addressOf } = listingOf(url);
  const status = mailStatusOf(url);
  const query = { status, limit: String(limit), offset: String(offset) };
  const [{ mails, counts, total }, server] = await Promise.all([api(listMails, { query }), api(readServerSettings)]);
  return {
    status,
    server: server.settings,
    mails,
    page,
    tabs: MAIL_STATUSES.map((name) => ({
      name,
      to: addressOf({ status: name }),
      count: counts[name],
    })),
    csv: `/admin/operations/mails.csv?status=${status}`,
    previous: page > 1 ? addressOf({ page: String(page - 1) }) : undefined,
    next: offset + limit < total ? addressOf({ page: String(page + 1) }) : undefined,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  if (fields.get('intent') === 'test-mail') {
    const sent = await attempt(sendTestMail);
    return sent.ok ? { testMail: sent.body } : sent.refusal;
  }
  const done = await attempt(retryMail, { params: { id: textOf(fields, 'id') } });
  const back = '/admin/operations/mails';
  if (done.ok) return redirectWith(back, { key: 'admin.operations_mail_retried' });
  if (done.failure.status === 404 || done.failure.status === 409)
    return redirectWith(back, { key: 'admin.operations_mail_not_failed', tone: 'info' });
  return done.refusal;
}

export default function OperationsMails({ loaderData }: Route.ComponentProps) {
  const { t, number } = useText();
  const { status, server, mails, tabs, csv, page, previous, next } = loaderData;
  return (
    <Admin title={t('admin.operations_mails')} intro={t('admin.operations_mails_intro')}>
      <OperationsTabs />
      <div className="mt-6 mb-4">
        <Tabs
          label={t('admin.operations_mail_statuses')}
          tabs={tabs.map(({ name, to, count }) => ({
            to,
            label: t(`admin.operations_mail_${name}`),
            count: number(count),
            isCurrent: name === status,
          }))}
        />
      </div>
      {mails.length > 0 ? (
        <>
          <Mails mails={mails} status={status} />
          <p className="mt-4">
            <a href={csv} className="link inline-block py-1.5">
              {t('admin.table_csv')}
            </a>
          </p>
          <Pagination page={page} previous={previous} next={next} />
        </>
      ) : (
        <p className="text-muted">{t('admin.operations_no_mails')}</p>
      )}
      <div className="mt-12 grid max-w-2xl gap-6 border-t border-line pt-8">
        <ServerSettings settings={server} names={['SMTP_URL', 'MAIL_FROM']} />
        <TestMail />
      </div>
    </Admin>
  );
}

function Mails({ mails, status }: { mails: Mail[]; status: Mail['status'] }) {
  const { t, number } = useText();
  const columns: Column<Mail>[] = [
    { name: 'to', label: t('admin.operations_mail_to'), isHeading: true, cell: ({ recipient }) => recipient },
    { name: 'kind', label: t('admin.operations_kind'), cell: ({ kind }) => <Kind kind={kind} /> },
    {
      name: 'created',
      label: t('admin.operations_mail_created'),
      cell: ({ createdAt }) => <Time value={createdAt} look="exact" />,
    },
    { name: 'tries', label: t('admin.operations_tries'), isNumber: true, cell: ({ attempts }) => number(attempts) },
  ];
  if (status === 'sent')
    columns.push({
      name: 'sent',
      label: t('admin.operations_mail_sent'),
      cell: ({ sentAt }) => (sentAt ? <Time value={sentAt} look="exact" /> : null),
    });
  if (status === 'failed' || status === 'queued')
    columns.push({
      name: 'answer',
      label: t('admin.operations_mail_answer'),
      cell: ({ answer }) => (answer ? <q lang="en">{answer}</q> : null),
    });
  if (status === 'failed')
    columns.push({ name: 'action', label: t('admin.audit_action'), cell: (mail) => <Retry mail={mail} /> });
  return (
    <DataTable caption={t(`admin.operations_mail_${status}`)} columns={columns} rows={mails} keyOf={({ id }) => id} />
  );
}

/** A kind of mail in plain words. */
function Kind({ kind }: { kind: string }) {
  const { maybe } = useText();
  return maybe(`admin.operations_mail_kind_${kind}`) ?? <code>{kind}</code>;
}

function Retry({ mail: { id, recipient } }: { mail: Mail }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting(`retry-${id}`);
  return (
    <SmartForm intent={`retry-${id}`}>
      <input type="hidden" name="id" value={id} />
      <Button
        look="secondary"
        small
        isBusy={isSubmitting}
        aria-label={t('admin.operations_retry_of', { what: recipient })}
      >
        {t('admin.operations_retry')}
      </Button>
    </SmartForm>
  );
}
