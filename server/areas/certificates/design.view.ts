import type { CertificateDesign, SiteIdentity, SiteLogo } from '@officium/contract/site';
import { assetUrl } from '#server/areas/catalogue/stored-asset.view.ts';
import type { PublicCertificateRow } from '#server/areas/learner/learner.rows.ts';
import { accentOf } from '#server/site/accent.ts';
import { identityOf } from '#server/site/site.ts';
import { pickText } from '#server/text/localised.ts';

/** A design with the logo of its time. */
export type Design = CertificateDesign & { logo: SiteLogo | null };

/** The design of an identity of the site. */
export function designIn({ certificate, logo }: Pick<SiteIdentity, 'certificate' | 'logo'>): Design {
  return { ...certificate, logo: certificate.showsLogo ? logo : null };
}

/** The design with which a certificate was issued; null: that of the product. */
export function designOf({ siteIdentity }: Pick<PublicCertificateRow, 'siteIdentity'>): Design | null {
  return siteIdentity === null ? null : designIn(identityOf(siteIdentity));
}

/** The colour of a design, dark enough for text. */
export function inkOf({ colour }: Pick<Design, 'colour'>): string | null {
  return colour === null ? null : accentOf(colour).light.accent;
}

export type Signature = { name: string; office: string; picture: SiteLogo | null };

/** The signatures in the language of the certificate; those with neither a name nor a picture are left out. */
export function signaturesOf({ signatures, pictures }: Design, locale: string): Signature[] {
  return signatures
    .map(({ name, office }, at) => ({
      name,
      office: pickText(office, locale as never).text, // falls back for unknown languages
      picture: at === 0 ? pictures.signature1 : pictures.signature2,
    }))
    .filter(({ name, picture }) => name !== '' || picture !== null);
}

const toPicture = (picture: SiteLogo | null) =>
  picture && { url: assetUrl(picture.key), width: picture.width, height: picture.height };

/** A design as the verification page shows it. */
export function toPublicDesign(design: Design | null, locale: string) {
  if (!design) return null;
  return {
    colour: inkOf(design),
    logo: toPicture(design.logo),
    seal: toPicture(design.pictures.seal),
    signatures: signaturesOf(design, locale).map((one) => ({ ...one, picture: toPicture(one.picture) })),
  };
}
