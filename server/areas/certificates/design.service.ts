import type { Locale } from '@officium/contract/common';
import type { InputOf } from '@officium/contract/endpoint';
import type { SiteLogo } from '@officium/contract/site';
import type { previewCertificate as PreviewCertificate } from '@officium/contract/site-settings';
import type { Ctx } from '#server/ctx.ts';
import { pngPicture } from '#server/outside/picture.ts';
import { storageTimeout } from '#server/outside/files.ts';
import { type Design, designIn, inkOf, signaturesOf } from './design.view.ts';
import { issuerOf } from './issuer.view.ts';
import type { CertificateLook, LookPicture } from './look.view.ts';
import { toSample } from './sample.view.ts';

/** Enough for print at the size of a signature or a seal. */
const EDGE = 600;

/** The bytes of a stored picture as PNG, which a PDF can hold. Undefined when the file is missing. */
async function pngOf({ files }: Pick<Ctx, 'files'>, picture: SiteLogo | null): Promise<LookPicture | undefined> {
  if (!picture) return undefined;
  const path = `content-assets/${picture.key}`;
  if (!(await files.exists(path, storageTimeout()))) return undefined;
  return await pngPicture(Buffer.from(await files.get(path, storageTimeout())), EDGE);
}

/** A design with the bytes of its pictures; undefined: that of the product. */
export async function drawnLook(
  ctx: Pick<Ctx, 'files'>,
  design: Design | null,
  locale: string,
): Promise<CertificateLook | undefined> {
  if (!design) return undefined;
  const signatures = signaturesOf(design, locale);
  // One after the other: pictures are decoded in one process.
  const logo = await pngOf(ctx, design.logo);
  const seal = await pngOf(ctx, design.pictures.seal);
  const drawn = [];
  for (const { picture, ...who } of signatures) drawn.push({ ...who, picture: await pngOf(ctx, picture) });
  return { layout: design.layout, colour: inkOf(design) ?? undefined, logo, seal, signatures: drawn };
}

/** A sample certificate with a design that is not stored, and the pictures in force. */
export async function previewCertificate(
  ctx: Ctx,
  { layout, colour, showsLogo, name1, office1, name2, office2 }: InputOf<typeof PreviewCertificate>['query'],
  locale: Locale,
): Promise<Buffer> {
  const { renderCertificatePdf } = await import('./pdf.view.ts'); // loads the fonts
  const { certificate, logo } = ctx.site.current();
  const signatures = [
    { name: name1, office: { [locale]: office1 } },
    { name: name2, office: { [locale]: office2 } },
  ];
  const { pictures } = certificate;
  const identity = {
    certificate: { layout, colour, showsLogo: showsLogo !== undefined, pictures, signatures },
    logo,
  };
  const look = await drawnLook(ctx, designIn(identity), locale);
  // Dated by the day, so that the same sample is the same file.
  const today = new Date(ctx.clock.now().setUTCHours(0, 0, 0, 0));
  return await renderCertificatePdf({ ...toSample(locale, issuerOf(ctx), today), look });
}
