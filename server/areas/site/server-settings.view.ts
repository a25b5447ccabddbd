import type { ReplyOf } from '@officium/contract/endpoint';
import { type readServerSettings, SHOWN_SETTINGS, type ShownSetting } from '@officium/contract/site-setup';
import type { Config } from '#server/config.ts';

/** The host and port of the mail server: its address also holds a password. */
function serverOf(smtpUrl: string | undefined): string | null {
  return smtpUrl === undefined ? null : new URL(smtpUrl).host;
}

/** The settings of the environment that administrators see, none of them secret. */
export function toServerSettings(config: Config): ReplyOf<typeof readServerSettings> {
  const values: Record<ShownSetting, string | null> = {
    PROVIDER_NAME: config.isNameSet ? config.providerName : null,
    PUBLIC_URL: config.publicUrl,
    SMTP_URL: serverOf(config.smtpUrl),
    MAIL_FROM: config.mailFrom,
    OIDC_ISSUER: config.identityProvider?.issuer ?? null,
    OIDC_NAME: config.identityProvider?.name ?? null,
    ADMIN_SECOND_FACTOR: config.adminSecondFactor,
  };
  return { settings: SHOWN_SETTINGS.map((name) => ({ name, isSet: config.given.has(name), value: values[name] })) };
}
