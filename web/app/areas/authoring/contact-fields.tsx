import { Link } from 'react-router';
import { endonymOf, type Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import type { Doc } from './kinds.ts';
import { MAX_CONTACTS } from './piece-contacts.ts';
import { Beside } from './text-fields.tsx';

type Contact = Extract<Doc, { kind: 'course' }>['contacts'][number];
const NOBODY: Contact = { name: '', role: {}, email: null, profile: null };

/** `hasProfiles`: the viewer may name profiles, which lets these people moderate the discussions. */
type Props = { contacts: readonly Contact[]; locales: readonly Locale[]; hasProfiles: boolean };

/** The contacts of a course, with two empty rows for more. A contact without a name is removed. */
export function ContactFields({ contacts, locales, hasProfiles }: Props) {
  const { t } = useText();
  const shown = [...contacts, NOBODY, NOBODY].slice(0, MAX_CONTACTS);
  return (
    <FieldGroup name="contacts" legend={t('admin.content_field_contacts')} hint={t('admin.content_contacts_hint')}>
      {shown.map((contact, at) => (
        <fieldset key={at} className="mt-5 grid gap-4 border-s-4 border-line ps-4">
          <legend className="sr-only">{t('admin.content_contact', { number: at + 1 })}</legend>
          <Field
            name={`contacts_${at}_name`}
            label={t('admin.content_contact_name')}
            defaultValue={contact.name}
            dir="auto"
            autoComplete="off"
            maxLength={200}
            hideOptional
          />
          <Beside locales={locales}>
            {(locale) => (
              <Field
                name={`contacts_${at}_role_${locale}`}
                label={`${t('admin.content_contact_role')} · ${endonymOf(locale)}`}
                defaultValue={contact.role[locale] ?? ''}
                lang={locale}
                dir="auto"
                autoComplete="off"
                maxLength={200}
                hideOptional
              />
            )}
          </Beside>
          <Field
            name={`contacts_${at}_email`}
            type="email"
            label={t('admin.content_contact_email')}
            hint={t('admin.content_contact_email_hint')}
            defaultValue={contact.email ?? ''}
            dir="ltr"
            autoComplete="off"
            hideOptional
          />
          {hasProfiles ? (
            <Field
              name={`contacts_${at}_profile`}
              label={t('admin.content_contact_profile')}
              hint={t('admin.content_contact_profile_hint')}
              defaultValue={contact.profile ? `/people/${contact.profile}` : ''}
              dir="ltr"
              autoComplete="off"
              hideOptional
            />
          ) : null}
          {contact.profile ? (
            <Link to={`/people/${contact.profile}`} className="link">
              {contact.name}
            </Link>
          ) : null}
        </fieldset>
      ))}
    </FieldGroup>
  );
}
