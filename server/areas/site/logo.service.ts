import type { CertificatePicture, LogoTheme, SiteLogo } from '@officium/contract/site';
import type { SiteSettings } from '@officium/contract/site-settings';
import type { UserViewer } from '#server/access/viewer.ts';
import { storeAssets } from '#server/areas/catalogue/stored-asset.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { logoPicture } from '#server/outside/picture.ts';
import { changeSettings } from './site.service.ts';

/** Sharp on screens with three pixels to a point, at the size of the header. */
const LOGO_EDGE = 1200;

/** Converts and stores a logo or a picture of certificates; it is not shown yet. */
export async function makeLogo(ctx: Pick<Ctx, 'files' | 'lastingDb'>, bytes: Buffer | undefined): Promise<SiteLogo> {
  const made = bytes && (await logoPicture(bytes, LOGO_EDGE));
  if (!made) throw new AppError('assets.bad_image');
  const [asset] = (await storeAssets(ctx, new Map([['logo', { bytes: made.data, mime: 'image/webp' }]]))).values();
  if (!asset) throw new AppError('assets.bad_image');
  return { key: asset.key, width: made.width, height: made.height };
}

export async function setCertificatePicture(
  ctx: Ctx,
  viewer: UserViewer,
  { slot, picture }: { slot: CertificatePicture; picture: SiteLogo },
): Promise<SiteSettings> {
  return await changeSettings(ctx, viewer, ({ identity }) => {
    const pictures = { ...identity.certificate.pictures, [slot]: picture };
    return { ...identity, certificate: { ...identity.certificate, pictures } };
  });
}

export async function setLogo(
  ctx: Ctx,
  viewer: UserViewer,
  { theme, logo }: { theme: LogoTheme; logo: SiteLogo },
): Promise<SiteSettings> {
  const changed = theme === 'light' ? { logo } : { logoDark: logo };
  return await changeSettings(ctx, viewer, ({ identity }) => ({ ...identity, ...changed }));
}
