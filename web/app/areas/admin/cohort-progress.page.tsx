import { readCohort } from '@officium/contract/admin';
import { listCohortProgress, PROGRESS_STATES, readCohortProgress } from '@officium/contract/cohorts';
import type { ReplyOf } from '@officium/contract/endpoint';
import { Form, Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/cohort-progress.page';
import { sendReminder } from './cohort-reminder.act.ts';
import { ReminderForm } from './cohort-reminder-form.tsx';
import { CohortFrame } from './cohort-frame.tsx';
import { listingOf } from '../../admin/listing.ts';
import { loadAdmin } from '../../admin/load.ts';

type Journey = ReplyOf<typeof readCohortProgress>['journeys'][number];
type Learner = ReplyOf<typeof listCohortProgress>['people'][number];
type State = (typeof PROGRESS_STATES)[number];

const STATE_TEXT = {
  'not-started': 'admin.cohorts_not_started',
  started: 'admin.cohorts_started',
  finished: 'admin.cohorts_finished',
  late: 'admin.cohorts_late',
} as const;

export function stateOf(url: URL): State | undefined {
  return PROGRESS_STATES.find((state) => state === url.searchParams.get('state'));
}

const filters = (state: State | undefined, organization: string | undefined) =>
  new URLSearchParams({ ...(state ? { state } : {}), ...(organization ? { organization } : {}) }).toString();

export function organizationOf(url: URL): string | undefined {
  return url.searchParams.get('organization')?.trim().slice(0, 256) || undefined;
}

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, url } = await loadAdmin(request, context, 'read-reports');
  const { addressOf } = listingOf(url);
  const [cohort, { journeys }] = await Promise.all([api(readCohort, { params }), api(readCohortProgress, { params })]);
  const shown = journeys.find(({ id }) => id === url.searchParams.get('journey')) ?? journeys[0];
  const state = stateOf(url);
  const organization = organizationOf(url);
  const after = url.searchParams.get('after') ?? undefined;
  const { people, hasMore } = shown
    ? await api(listCohortProgress, {
        params: { id: params.id, journeyId: shown.id },
        query: { ...(state ? { state } : {}), ...(organization ? { organization } : {}), ...(after ? { after } : {}) },
      })
    : { people: [], hasMore: false };
  const address = (journey: string, one: State | undefined) => addressOf({ journey, state: one, after: undefined });
  const last = people.at(-1);
  return {
    cohort,
    journeys: journeys.map((journey) => ({ ...journey, to: address(journey.id, undefined) })),
    shown: shown ?? null,
    state: state ?? null,
    organization: organization ?? '',
    people,
    states: Object.fromEntries(
      [undefined, ...PROGRESS_STATES].map((one) => [one ?? '', address(shown?.id ?? '', one)]),
    ),
    first: after ? addressOf({ after: undefined }) : undefined,
    next: hasMore && last ? addressOf({ after: last.id }) : undefined,
    csv: shown ? `/admin/cohorts/${params.id}/progress/${shown.id}/csv?${filters(state, organization)}` : '',
  };
}

export async function action(args: Route.ActionArgs) {
  return await sendReminder(args);
}

export default function CohortProgress({ loaderData }: Route.ComponentProps) {
  const { cohort, journeys, shown } = loaderData;
  const { t } = useText();
  const { members, invitations } = cohort.total;
  const columns = useJourneyColumns(members + invitations);
  return (
    <CohortFrame cohort={cohort} tab="/progress">
      {shown ? (
        <>
          <p className="mb-4 max-w-prose text-muted">
            {t('admin.cohorts_progress_text')} {t('admin.cohorts_rate_text', { members, invited: invitations })}
          </p>
          <DataTable caption={t('admin.cohorts_progress')} columns={columns} rows={journeys} keyOf={({ id }) => id} />
          <People {...loaderData} shown={shown} />
        </>
      ) : (
        <EmptyState title={t('admin.cohorts_no_journeys')}>{t('admin.cohorts_no_journeys_text')}</EmptyState>
      )}
    </CohortFrame>
  );
}

function useJourneyColumns(everyone: number): Column<Journey & { to: string }>[] {
  const { t, number, date } = useText();
  return [
    {
      name: 'title',
      label: t('admin.cohorts_title'),
      isHeading: true,
      cell: ({ title, course, to }) => (
        <>
          <Link to={to} preventScrollReset className="link -my-1 inline-block py-1" dir="auto">
            {title}
          </Link>
          <bdi className="block font-normal text-muted">{course}</bdi>
        </>
      ),
    },
    {
      name: 'due',
      label: t('admin.cohorts_due'),
      cell: ({ dueOn }) => (dueOn ? date(dueOn, { dateStyle: 'medium', timeZone: 'UTC' }) : null),
    },
    ...(['notStarted', 'started', 'finished', 'late'] as const).map((name) => ({
      name,
      label: t(STATE_TEXT[name === 'notStarted' ? 'not-started' : name]),
      isNumber: true,
      cell: (journey: Journey) => number(journey[name]),
    })),
    {
      name: 'rate',
      label: t('admin.cohorts_rate'),
      isNumber: true,
      cell: ({ finished }) => number(everyone === 0 ? 0 : finished / everyone, { style: 'percent' }),
    },
  ];
}

type PeopleProps = Route.ComponentProps['loaderData'] & { shown: Journey };

function People({ cohort, shown, state, organization, people, states, first, next, csv }: PeopleProps) {
  const { t } = useText();
  const mayRemind = !cohort.archivedAt && (!cohort.capabilities || cohort.capabilities.includes('manage-cohort'));
  const columns = useLearnerColumns(mayRemind);
  const table = <DataTable caption={shown.title} columns={columns} rows={people} keyOf={({ id }) => id} />;
  return (
    <section aria-labelledby="people" className="mt-12">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="people" className="text-2xl">
          <span dir="auto">{shown.title}</span>
        </h2>
        <a href={csv} className="link inline-flex min-h-11 items-center">
          {t('admin.table_csv')}
        </a>
      </div>
      <nav aria-label={t('admin.cohorts_filter')} className="my-2">
        <ul className="flex flex-wrap gap-x-6">
          {(['', ...PROGRESS_STATES] as const).map((one) => (
            <li key={one}>
              <Link
                to={states[one] ?? ''}
                preventScrollReset
                aria-current={one === (state ?? '') ? 'page' : undefined}
                className="here inline-flex min-h-11 items-center aria-[current]:font-semibold"
              >
                {one ? t(STATE_TEXT[one]) : t('admin.cohorts_all')}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <OrganizationFilter {...{ journey: shown.id, state, organization }} />
      {people.length === 0 ? <p className="py-4 text-muted">{t('admin.table_none_found')}</p> : null}
      {people.length > 0 && mayRemind && shown.notStarted + shown.started > 0 ? (
        <ReminderForm journey={shown}>
          {table}
          <Pagination previous={first} next={next} />
        </ReminderForm>
      ) : (
        <>
          {people.length > 0 ? table : null}
          <Pagination previous={first} next={next} />
        </>
      )}
    </section>
  );
}

type FilterProps = { journey: string; state: State | null; organization: string };

/** The filter is kept in the address, beside the others. */
function OrganizationFilter({ journey, state, organization }: FilterProps) {
  const { t } = useText();
  return (
    <Form
      // Remounted per address, so that Back restores the name typed there.
      key={organization}
      method="get"
      preventScrollReset
      role="search"
      className="mb-4 flex flex-wrap items-end gap-3"
    >
      <input type="hidden" name="journey" value={journey} />
      {state ? <input type="hidden" name="state" value={state} /> : null}
      <Field
        name="organization"
        label={t('admin.report_organization')}
        hint={t('admin.report_organization_hint')}
        hideOptional
        maxLength={256}
        defaultValue={organization}
        dir="auto"
        className="min-w-0 grow basis-56 sm:max-w-sm"
      />
      <Button look="secondary">{t('admin.overview_show')}</Button>
    </Form>
  );
}

function useLearnerColumns(mayRemind: boolean): Column<Learner>[] {
  const { t } = useText();
  return [
    ...(mayRemind ? [{ name: 'choice', label: t('admin.people_select'), cell: Choice }] : []),
    { name: 'name', label: t('people.name'), isHeading: true, cell: ({ name }) => <span dir="auto">{name}</span> },
    { name: 'email', label: t('auth.email'), cell: ({ email }) => <bdi>{email}</bdi> },
    {
      name: 'organization',
      label: t('admin.report_organization'),
      cell: ({ organization }) => (organization ? <bdi>{organization}</bdi> : null),
    },
    {
      name: 'state',
      label: t('admin.cohorts_state'),
      cell: ({ state, isLate }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          {t(STATE_TEXT[state])}
          {isLate ? <Tag look="danger">{t('admin.cohorts_late')}</Tag> : null}
        </span>
      ),
    },
    {
      name: 'finished',
      label: t('admin.cohorts_finished_on'),
      cell: ({ finishedAt }) => (finishedAt ? <Time value={finishedAt} look="date" /> : null),
    },
    {
      name: 'reminded',
      label: t('admin.cohorts_reminded_on'),
      cell: ({ remindedAt }) => (remindedAt ? <Time value={remindedAt} look="date" /> : null),
    },
  ];
}

/** Selects a person who has not finished. */
function Choice({ id, name, state }: Learner) {
  const { t } = useText();
  if (state === 'finished') return null;
  return (
    <label className="inline-flex min-h-11 items-center" htmlFor={`choose-${id}`}>
      <input type="checkbox" id={`choose-${id}`} name="userId" value={id} className="choice" />
      <span className="sr-only">
        {t('admin.people_select')}: {name}
      </span>
    </label>
  );
}
