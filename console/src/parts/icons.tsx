import type { PageName } from './navigate.ts'

/** Outlines on a field of 16 by 16. */
const PATHS: Record<PageName, string> = {
  overview: 'M2 13.5h12M4 11V8M8 11V3.5M12 11V6',
  requests: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  video: 'M2 4.5h8v7H2zM10 7l4-2.5v7L10 9',
  people: 'M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8zM3 13.5c.5-2.6 2.4-3.8 5-3.8s4.5 1.2 5 3.8',
  assets: 'M2.5 3h11v10h-11zM2.5 11l3.3-3.5 2.7 2.5 2-1.8 3 2.8M10.5 6.2h.1',
  playground: 'M4.5 3l8 5-8 5z',
  money:
    'M8 2v12M11 4.5C10.5 3.7 9.4 3.3 8 3.3c-1.8 0-3 .8-3 2.2 0 3.2 6.2 1.5 6.2 4.9 0 1.5-1.3 2.4-3.2 2.4-1.7 0-2.9-.6-3.4-1.6',
  customers: 'M2.5 14V5.5L8 2l5.5 3.5V14zM6 14v-3.5h4V14M6 7h.1M10 7h.1',
  callbacks: 'M13 8a5 5 0 1 1-1.6-3.7M13.2 2v3h-3',
  live: 'M1.5 8h3l2-5 3 10 2-5h3',
  models: 'M8 2l5.5 3v6L8 14l-5.5-3V5zM2.5 5L8 8l5.5-3M8 8v6',
  system:
    'M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4',
}

export function PageIcon({ name }: { name: PageName }) {
  return (
    <svg
      aria-hidden="true"
      className="icon"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
