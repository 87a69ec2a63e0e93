export type Child = Node | string | null | false;

/** Make an element: attributes that begin with "on" are listeners. */
export function h(tag: string, attributes: Record<string, unknown> = {}, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2).toLowerCase(), value as EventListener);
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

export function mount(root: Element, screen: Node): void {
  root.replaceChildren(screen);
}
