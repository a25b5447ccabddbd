import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { endonymOf, LOCALES } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Field, Select, type Option } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { addressOf, type FilterName, type Filters, PERIODS, without } from './query.ts';

/** The choices: communities and authors of the results, and the viewer's own. */
export type Choices = { communities: Option[]; authors: Option[] };

/** The fields of a search that narrow it. They are sent by the button of the form around them. */
export function FilterFields({ filters, choices }: { filters: Filters; choices: Choices }) {
  const { t } = useText();
  const any = { value: '', label: t('search.filter_any') };
  const nameless = t('search.filter_author_unknown');
  return (
    <details className="mt-3" open={Object.keys(filters).length > 0}>
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-accent">
        {t('search.filters')}
      </summary>
      <div className="mt-2 grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
        <Select
          name="language"
          id="filter-language"
          label={t('common.language')}
          defaultValue={filters.language ?? ''}
          hideOptional
          options={[any, ...LOCALES.map((code) => ({ value: code, label: endonymOf(code) }))]}
        />
        <Select
          name="community"
          id="filter-community"
          label={t('search.kind_community')}
          defaultValue={filters.community ?? ''}
          hideOptional
          options={[any, ...choices.communities]}
        />
        <Select
          name="author"
          id="filter-author"
          label={t('search.filter_author')}
          defaultValue={filters.author ?? ''}
          hideOptional
          options={[any, ...choices.authors.map(({ value, label }) => ({ value, label: label || nameless }))]}
        />
        <Select
          name="within"
          id="filter-within"
          label={t('search.filter_time')}
          defaultValue={filters.within ?? ''}
          hideOptional
          options={[any, ...PERIODS.map((period) => ({ value: period, label: t(`search.within_${period}`) }))]}
        />
        <Field
          name="from"
          id="filter-from"
          type="date"
          label={t('search.filter_from')}
          defaultValue={filters.from}
          hideOptional
        />
        <Field
          name="to"
          id="filter-to"
          type="date"
          label={t('search.filter_to')}
          defaultValue={filters.to}
          hideOptional
        />
      </div>
    </details>
  );
}

const labelIn = (options: readonly Option[], value: string | undefined) =>
  options.find((option) => option.value === value)?.label;

type Asked = Pick<Parameters<typeof addressOf>[0], 'q' | 'group'>;

/** The filters in use, each with a link that removes it. */
export function ActiveFilters({ asked, filters, choices }: { asked: Asked; filters: Filters; choices: Choices }) {
  const { t, date } = useText();
  const day = (value: string) => date(value, { dateStyle: 'medium', timeZone: 'UTC' });
  const { language, community, author, within, from, to } = filters;
  const active: { name: FilterName; label: string; value: ReactNode }[] = [];
  if (language) active.push({ name: 'language', label: t('common.language'), value: endonymOf(language) });
  if (community)
    active.push({
      name: 'community',
      label: t('search.kind_community'),
      value: labelIn(choices.communities, community) ?? community,
    });
  if (author)
    active.push({
      name: 'author',
      label: t('search.filter_author'),
      value: labelIn(choices.authors, author) || t('search.filter_author_unknown'),
    });
  if (within) active.push({ name: 'within', label: t('search.filter_time'), value: t(`search.within_${within}`) });
  if (from) active.push({ name: 'from', label: t('search.filter_from'), value: day(from) });
  if (to) active.push({ name: 'to', label: t('search.filter_to'), value: day(to) });
  if (active.length === 0) return null;
  return (
    <nav aria-label={t('search.filters_active')} className="mt-4">
      <ul className="flex flex-wrap items-center gap-2">
        {active.map(({ name, label, value }) => (
          <li key={name} className="max-w-full">
            <Link
              to={addressOf({ ...asked, filters: without(filters, name) })}
              className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border border-line bg-sunk px-4 text-sm hover:border-accent hover:text-accent"
            >
              <span className="sr-only">{t('search.filter_remove')} </span>
              <span className="min-w-0 truncate">
                {label}: <bdi>{value}</bdi>
              </span>
              <Icon as={X} size={16} />
            </Link>
          </li>
        ))}
        {active.length > 1 ? (
          <li>
            <Link to={addressOf(asked)} className="link inline-block px-2 py-2.5">
              {t('search.filters_clear')}
            </Link>
          </li>
        ) : null}
      </ul>
    </nav>
  );
}
