/** Result of an upload; `status` is 0 without a response. */
export type Uploaded = { status: number; code?: string };

/**
 * Uploads a file as the single part `name` of a form to one of our addresses. Uses XMLHttpRequest because fetch does
 * not report upload progress; `onProgress` receives the sent share, from 0 to 1.
 */
export function upload(
  address: string,
  { name, file, onProgress }: { name: string; file: Blob; onProgress: (share: number) => void },
): Promise<Uploaded> {
  return new Promise((resolve) => {
    const form = new FormData();
    form.set(name, file);
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve({ status: request.status, code: codeOf(request.responseText) });
    request.onerror = request.onabort = () => resolve({ status: 0 });
    request.send(form);
  });
}

function codeOf(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : undefined;
  } catch {
    return undefined; // a proxy's page; the status is enough
  }
}
