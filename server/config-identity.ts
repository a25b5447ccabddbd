type Given = {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_NAME?: string | undefined;
  OIDC_SCOPES: string;
  OIDC_TRUST_EMAIL: boolean;
  OIDC_GROUPS_CLAIM: string;
  OIDC_ADMINISTRATOR_GROUPS: string[];
  OIDC_PUBLIC_SERVANT_GROUPS: string[];
};

/** The identity provider of OpenID Connect; undefined without one. */
export function identityProviderOf(settings: Given) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = settings;
  if (!issuer || !clientId) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: settings.OIDC_CLIENT_SECRET,
    name: settings.OIDC_NAME ?? new URL(issuer).host,
    scopes: settings.OIDC_SCOPES,
    groupsClaim: settings.OIDC_GROUPS_CLAIM,
    trustsEmail: settings.OIDC_TRUST_EMAIL,
  };
}

/** The groups of the identity provider that give a role. */
export function groupRolesOf(settings: Given) {
  return { administrators: settings.OIDC_ADMINISTRATOR_GROUPS, publicServants: settings.OIDC_PUBLIC_SERVANT_GROUPS };
}
