import type { LogoTheme, SiteLogo } from '@officium/contract/site';
import type { SiteSettings } from '@officium/contract/site-settings';
import type { UserViewer } from '#server/access/viewer.ts';
import { storeAssets } from '#server/areas/catalogue/stored-asset.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { textPicture } from '#server/outside/picture.ts';
import { changeSettings } from './site.service.ts';

/** Sharp on screens with three pixels to a point, at the size of the header. */
const LOGO_EDGE = 1200;

/** Converts and stores a logo; it is not shown yet. */
export async function makeLogo({ files }: Pick<Ctx, 'files'>, bytes: Buffer | undefined): Promise<SiteLogo> {
  const made = bytes && (await textPicture(bytes, LOGO_EDGE));
  if (!made) throw new AppError('assets.bad_image');
  const [asset] = (await storeAssets(files, new Map([['logo', { bytes: made.data, mime: 'image/webp' }]]))).values();
  if (!asset) throw new AppError('assets.bad_image');
  return { key: asset.key, width: made.width, height: made.height };
}

export async function setLogo(
  ctx: Ctx,
  viewer: UserViewer,
  { theme, logo }: { theme: LogoTheme; logo: SiteLogo },
): Promise<SiteSettings> {
  const changed = theme === 'light' ? { logo } : { logoDark: logo };
  return await changeSettings(ctx, viewer, ({ identity }) => ({ ...identity, ...changed }));
}
