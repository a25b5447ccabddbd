import { readProfile, updateProfile } from '@officium/contract/account';
import { act, loadSignedIn } from '../../server/api.ts';
import { countriesIn, countryName, locationOf } from '../../country-names.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field, Select, TextArea } from '../../ui/field.tsx';
import type { Route } from './+types/profile.page';
import { textOf } from '../../form/fields.ts';
import { Settings } from './settings.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, viewer, locale } = await loadSignedIn(request, context);
  // These accounts have no profile, but can be changed or deleted.
  if (viewer.limited || viewer.role === 'inactive') throw redirect('/me/settings/account');
  return { profile: await api(readProfile, { params: { id: 'me' } }), countries: countriesIn(locale) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const saved = await attempt(updateProfile, {
    body: {
      name: textOf(fields, 'name'),
      jobTitle: textOf(fields, 'jobTitle') || null,
      organization: textOf(fields, 'organization') || null,
      biography: textOf(fields, 'biography') || null,
      bioLink: textOf(fields, 'bioLink').trim() || null,
      // A place that is no country of the list stays until another one is chosen.
      ...(textOf(fields, 'country') === KEPT ? {} : { location: locationOf(textOf(fields, 'country')) }),
    },
  });
  return saved.ok ? redirectWith('/me/settings', { key: 'common.saved' }) : saved.refusal;
}

export default function Profile({ loaderData }: Route.ComponentProps) {
  const { profile, countries } = loaderData;
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <Settings title={t('common.profile')} intro={t('account.profile_text')}>
      <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-4">
        <Avatar name={profile.name} src={profile.image?.thumbnail} size={80} />
        <LinkButton to="/me/settings/picture" look="secondary">
          {t('account.picture')}
        </LinkButton>
      </div>
      <SmartForm intent="profile" className="mt-8 grid gap-5">
        <Field
          name="name"
          label={t('people.name')}
          defaultValue={profile.name}
          autoComplete="name"
          maxLength={100}
          required
          dir="auto"
        />
        <Field
          name="jobTitle"
          label={t('people.job_title')}
          defaultValue={profile.jobTitle ?? ''}
          autoComplete="organization-title"
          maxLength={200}
          dir="auto"
        />
        <Field
          name="organization"
          label={t('people.organization')}
          defaultValue={profile.organization ?? ''}
          autoComplete="organization"
          maxLength={200}
          dir="auto"
        />
        <Country location={profile.location} countries={countries} />
        <TextArea
          name="biography"
          label={t('people.biography')}
          hint={t('people.biography_hint')}
          defaultValue={profile.biography ?? ''}
          maxLength={5000}
          dir="auto"
        />
        <Field
          name="bioLink"
          type="url"
          label={t('people.bio_link')}
          hint={t('people.bio_link_hint')}
          defaultValue={profile.bioLink ?? ''}
          autoComplete="url"
          maxLength={2048}
          dir="ltr"
        />
        <div>
          <Button isBusy={isSubmitting}>{t('common.save')}</Button>
        </div>
      </SmartForm>
    </Settings>
  );
}

/** Stands for a stored place that is no country of the list. */
const KEPT = 'kept';

type CountryProps = {
  location: Route.ComponentProps['loaderData']['profile']['location'];
  countries: { value: string; label: string }[];
};

function Country({ location, countries }: CountryProps) {
  const { t, locale } = useText();
  const isListed = location === null || countryName(location.code, locale) !== undefined;
  return (
    <Select
      name="country"
      label={t('people.country')}
      defaultValue={isListed ? (location?.code.toUpperCase() ?? '') : KEPT}
      options={[
        { value: '', label: t('people.country_none') },
        ...(isListed ? [] : [{ value: KEPT, label: location.en }]),
        ...countries,
      ]}
      autoComplete="country"
      className="w-72 max-w-full"
    />
  );
}
