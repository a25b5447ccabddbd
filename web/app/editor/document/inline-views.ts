import type { Node } from '@tiptap/pm/model';
import type { NodeViewConstructor } from '@tiptap/pm/view';
import type { Words } from './frame-view.ts';

/** The address under which the page shows a picture of a text; undefined for one of another site. */
export type PictureAddress = (src: string) => string | undefined;

/** A picture with its alternative text below, which can be edited there. */
export function pictureView(words: Words, addressOf: PictureAddress): NodeViewConstructor {
  return (node, view, getPos) => {
    const dom = document.createElement('span');
    dom.className = 'doc-picture';
    dom.contentEditable = 'false';
    const image = document.createElement('img');
    const place = document.createElement('span');
    place.className = 'doc-picture-address';
    place.dir = 'ltr';
    const input = document.createElement('input');
    input.type = 'text';
    input.dir = 'auto';
    input.className = 'input';
    input.placeholder = words('editor.picture_alt');
    input.setAttribute('aria-label', words('editor.picture_alt'));
    const show = ({ attrs }: Node) => {
      const address = addressOf(String(attrs['src']));
      if (address && image.getAttribute('src') !== address) image.src = address;
      image.alt = String(attrs['alt']);
      place.textContent = address ? '' : String(attrs['src']);
      image.hidden = !address;
      if (document.activeElement !== input) input.value = String(attrs['alt']);
    };
    input.addEventListener('input', () => {
      const at = getPos();
      if (at !== undefined) view.dispatch(view.state.tr.setNodeAttribute(at, 'alt', input.value.replace(/\s+/g, ' ')));
    });
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault(); // it would submit the form
      view.focus();
    });
    dom.append(image, place, input);
    show(node);
    return {
      dom,
      update: (next) => {
        if (next.type !== node.type) return false;
        show(next);
        return true;
      },
      stopEvent: ({ target }) => target === input,
      ignoreMutation: () => true,
    };
  };
}

/** An item of a list; that of a task list has a box, which says in a question whether the answer is right. */
export function itemView(words: Words): NodeViewConstructor {
  return (node, view, getPos) => {
    const dom = document.createElement('li');
    const contentDOM = document.createElement('div');
    const isTask = node.attrs['task'] !== null;
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.className = 'choice';
    box.contentEditable = 'false';
    box.checked = node.attrs['task'] === true;
    box.addEventListener('change', () => {
      const at = getPos();
      if (at !== undefined) view.dispatch(view.state.tr.setNodeAttribute(at, 'task', box.checked));
    });
    const at = getPos();
    const $at = at === undefined ? undefined : view.state.doc.resolve(at);
    const isAnswer = $at && Array.from({ length: $at.depth }, (_, depth) => $at.node(depth + 1)).some(isQuiz);
    box.setAttribute('aria-label', words(isAnswer ? 'editor.right' : 'editor.done'));
    box.title = words(isAnswer ? 'editor.right' : 'editor.done');
    if (isTask) {
      dom.className = 'doc-task';
      dom.append(box);
    }
    dom.append(contentDOM);
    return {
      dom,
      contentDOM,
      update: (next) => {
        if (next.type !== node.type || (next.attrs['task'] !== null) !== isTask) return false;
        box.checked = next.attrs['task'] === true;
        return true;
      },
      stopEvent: ({ target }) => target === box,
      ignoreMutation: ({ target }) => !contentDOM.contains(target),
    };
  };
}

const isQuiz = ({ type }: Node) => type.name === 'quiz';
