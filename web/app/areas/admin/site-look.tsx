import type { SiteSettings } from '@officium/contract/site-settings';
import { useText } from '../../text.tsx';
import { Field } from '../../ui/field.tsx';

type Props = { settings: SiteSettings };

export function NameField({ settings: { identity, shownName, nameIsFixed } }: Props) {
  const { t } = useText();
  if (nameIsFixed) return <p className="max-w-prose">{t('admin.site_name_fixed', { name: shownName })}</p>;
  return (
    <Field
      name="identity.name"
      label={t('admin.site_name')}
      hint={t('admin.site_name_hint')}
      defaultValue={identity.name ?? ''}
      placeholder={shownName}
      maxLength={60}
      dir="auto"
      autoComplete="off"
    />
  );
}

export function ContactField({ settings: { identity } }: Props) {
  const { t } = useText();
  return (
    <Field
      name="identity.contact"
      type="email"
      label={t('admin.site_contact')}
      hint={t('admin.site_contact_hint')}
      defaultValue={identity.contact ?? ''}
      maxLength={254}
      autoComplete="off"
    />
  );
}

export function ColourField({ settings: { identity, colours } }: Props) {
  const { t } = useText();
  return (
    <div>
      <Field
        name="identity.accent"
        label={t('admin.site_accent')}
        hint={t('admin.site_accent_hint')}
        defaultValue={identity.accent ?? ''}
        placeholder="#0b6e6e"
        maxLength={7}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        className="max-w-xs"
      />
      {colours ? (
        <>
          <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
            <Swatch label={t('admin.site_accent_light')} colour={colours.light} paper="#fbfaf7" />
            <Swatch label={t('admin.site_accent_dark')} colour={colours.dark} paper="#13152a" />
          </ul>
          {colours.isAdjusted ? <p className="mt-2 text-sm text-muted">{t('admin.site_accent_adjusted')}</p> : null}
        </>
      ) : null}
    </div>
  );
}

/** A colour on the paper of its theme. Drawn, because styles in the page are refused. */
function Swatch({ label, colour, paper }: { label: string; colour: string; paper: string }) {
  return (
    <li className="flex items-center gap-2">
      <svg viewBox="0 0 56 28" width={56} height={28} aria-hidden="true" className="rounded border border-line">
        <rect width="56" height="28" fill={paper} />
        <rect x="8" y="7" width="40" height="14" rx="4" fill={colour} />
      </svg>
      {label}: <code>{colour}</code>
    </li>
  );
}
