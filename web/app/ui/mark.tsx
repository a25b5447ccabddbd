/** The logo: a rising half disc under a point of light. */
export function Mark({ size = 30 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="7" className="fill-brand" />
      <path d="M6 24a10 10 0 0 1 20 0z" fill="#fbfaf7" />
      <circle cx="16" cy="9" r="3.4" fill="#ffc53d" />
    </svg>
  );
}
