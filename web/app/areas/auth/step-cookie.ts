type Cookies = Record<string, string | undefined>;

/** A cookie carried between two steps of a sign-in. Over https only this host can set it. */
export type StepCookie = {
  /** An empty value deletes it. */
  set(value: string, origin: string): string;
  read(cookies: Cookies, origin: string): string;
};

const isSecure = (origin: string) => origin.startsWith('https:');

export function stepCookie(name: string): StepCookie {
  // Without the prefix, a sibling domain could set its own sign-in here.
  const nameAt = (origin: string) => (isSecure(origin) ? `__Host-${name}` : name);
  return {
    set(value, origin) {
      const age = value === '' ? 0 : 600;
      const secure = isSecure(origin) ? '; Secure' : '';
      return `${nameAt(origin)}=${encodeURIComponent(value)}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
    },
    read: (cookies, origin) => cookies[nameAt(origin)] ?? '',
  };
}
