import type { CertificateDesign, CertificatePicture } from '@officium/contract/site';
import type { Locale } from '@officium/i18n/locales';
import { optionalOf, textOf } from '../../form/fields.ts';
import type { Issue } from '../../form/state.ts';
import type { MessageKey } from '../../message-keys.ts';

/** The layouts with their names. */
export const LAYOUTS = {
  pattern: 'admin.site_certificate_pattern',
  frame: 'admin.site_certificate_frame',
  bar: 'admin.site_certificate_bar',
} as const satisfies Record<CertificateDesign['layout'], MessageKey>;

/** The pictures with their names. */
export const PICTURES = {
  seal: 'admin.site_certificate_seal',
  signature1: 'admin.site_certificate_picture1',
  signature2: 'admin.site_certificate_picture2',
} as const satisfies Record<CertificatePicture, MessageKey>;

export const SIGNERS = [1, 2] as const;

/** The submitted form, on top of what is stored: pictures and the offices in other languages stay. */
export function designOf(fields: FormData, stored: CertificateDesign, locale: Locale): CertificateDesign {
  return {
    ...stored,
    layout: textOf(fields, 'layout') as CertificateDesign['layout'], // an unknown one is refused by the API
    colour: optionalOf(fields, 'colour') ?? null,
    showsLogo: fields.has('showsLogo'),
    signatures: SIGNERS.map((nth) => ({
      name: textOf(fields, `name${nth}`).trim(),
      office: { ...stored.signatures[nth - 1]?.office, [locale]: textOf(fields, `office${nth}`).trim() },
    })),
  };
}

/** Issues of the API at the fields of the form. */
export function toDesignIssues(issues: readonly Issue[]): Issue[] {
  return issues.map(({ path, message }) => {
    const [, at, part] = /signatures\.(\d)\.(name|office)/.exec(path) ?? [];
    return { path: part ? `${part}${Number(at) + 1}` : (path.split('.').at(-1) ?? path), message };
  });
}
