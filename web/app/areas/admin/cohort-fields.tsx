import { useText } from '../../text.tsx';
import { Field, Select, TextArea } from '../../ui/field.tsx';
import { storedCountry } from './cohort-country.ts';

/** Optional fields of a cohort, in form order. */
export const DETAILS = ['secondaryPartner', 'funder', 'bookingCode', 'countryCode', 'supportContact', 'notes'] as const;
type Detail = (typeof DETAILS)[number];

const LABELS = {
  secondaryPartner: 'admin.cohorts_partner_second',
  funder: 'admin.cohorts_funder',
  bookingCode: 'admin.cohorts_booking',
  supportContact: 'admin.cohorts_support',
} as const;

/** The name of a cohort type; the one for staff includes the provider's name. */
export function useTypeName(): (type: string) => string {
  const { t, maybe } = useText();
  return (type) =>
    maybe(`admin.cohorts_type_${type.toLowerCase()}`) ??
    t('admin.cohorts_type_staff', { provider: type.replace(/_STAFF$/, '').replaceAll('_', ' ') });
}

type Known = {
  type: string;
  primaryPartner: string;
  beginsOn?: string | undefined;
  endsOn?: string | undefined;
} & Record<Detail, string | null>;

type Props = {
  types: readonly string[];
  /** The loader gives them, because browsers know other names of some countries. */
  countries: readonly { value: string; label: string }[];
  cohort?: Known;
};

/** All fields of a cohort except its name. */
export function CohortFields({ types, countries, cohort }: Props) {
  const { t } = useText();
  const typeName = useTypeName();
  return (
    <>
      <Select
        name="type"
        label={t('admin.cohorts_type')}
        options={types.map((type) => ({ value: type, label: typeName(type) }))}
        defaultValue={cohort?.type ?? 'LEARNERS'}
        required
      />
      <Field
        name="primaryPartner"
        label={t('admin.cohorts_partner')}
        hint={t('admin.cohorts_partner_hint')}
        defaultValue={cohort?.primaryPartner}
        maxLength={256}
        required
        dir="auto"
      />
      <Days cohort={cohort} />
      {DETAILS.map((name) =>
        name === 'notes' ? (
          <TextArea
            key={name}
            name={name}
            label={t('admin.cohorts_notes')}
            hint={t('admin.cohorts_notes_hint')}
            defaultValue={cohort?.notes ?? ''}
            maxLength={10_000}
            dir="auto"
          />
        ) : name === 'countryCode' ? (
          <Select
            key={name}
            name={name}
            label={t('people.country')}
            options={[{ value: '', label: t('people.country_none') }, ...countries]}
            defaultValue={storedCountry(cohort?.countryCode)}
          />
        ) : (
          <Field
            key={name}
            name={name}
            label={t(LABELS[name])}
            {...(name === 'supportContact' ? { hint: t('admin.cohorts_partner_hint') } : {})}
            defaultValue={cohort?.[name] ?? ''}
            maxLength={256}
            dir="auto"
          />
        ),
      )}
    </>
  );
}

function Days({ cohort }: { cohort: Known | undefined }) {
  const { t } = useText();
  return (
    <div className="grid items-end gap-5 sm:grid-cols-2">
      <Field
        name="beginsOn"
        type="date"
        label={t('admin.cohorts_begins')}
        hint={t('admin.cohorts_begins_hint')}
        defaultValue={cohort?.beginsOn ?? ''}
      />
      <Field
        name="endsOn"
        type="date"
        label={t('admin.enrol_until')}
        hint={t('admin.cohorts_ends_hint')}
        defaultValue={cohort?.endsOn ?? ''}
      />
    </div>
  );
}
