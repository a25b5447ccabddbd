type Cookies = Record<string, string | undefined>;

/** What a browser keeps between the steps of a sign-in: from scripts and addresses, and over https from neighbouring names. */
export type StepCookie = {
  /** An empty value ends it. */
  set(value: string, origin: string): string;
  read(cookies: Cookies, origin: string): string;
};

const isSecure = (origin: string) => origin.startsWith('https:');

export function stepCookie(name: string): StepCookie {
  // Nobody but this very host can set a cookie of such a name: a neighbour could plant the step of its own sign-in.
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
