import { ApiError } from '../src/domain/api-error.ts'
import { ERRORS, type ErrorCode } from '../src/domain/errors.ts'
import type { Area } from '../src/http/edge-request.ts'
import { areaOfPath } from '../src/http/errors/area-of-path.ts'
import { presentError } from '../src/http/errors/present-error.ts'
import { OPERATIONS } from '../src/http/routes.ts'

/** `docs/errors.md` below its note: every error, in the words and envelopes that the edge answers with. */
export function errorsPage(): string {
  const codes = Object.keys(ERRORS).filter(isErrorCode)
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  const list = [...byStatus.entries()]
    .sort(([one], [other]) => one - other)
    .map(
      ([status, ofStatus]) => `- ${status}: ${ofStatus.map((code) => `[\`${code}\`](#${code})`).join(', ')}`,
    )
  return `# Errors

For developers whose request failed: find the \`code\` of the answer below and do what its section says.
Every failed request gets one of these errors, with an \`x-request-id\` header for your operator. The message may say more than the one shown here. Every ${inWords(repeatable(codes))} has a \`Retry-After\` header, in seconds.
Where client and provider speak the same dialect, a 400 of the provider keeps its \`code\` and \`param\` on \`/v1/responses\`, and its \`details\` on \`/v1/messages\`.

The shape depends on the path; \`param\` is \`null\` where no parameter is at fault. As an example, [\`${SAMPLE}\`](#${SAMPLE}):

| Path | Body |
|---|---|
${bodyRows().join('\n')}

${list.join('\n')}

${codes.map(section).join('\n\n')}
`
}

const SAMPLE = 'missing_parameter'

/** In the order of the table of operations. The area of video is also that of every path that no other area has. */
const AREAS: readonly Area[] = [...new Set(OPERATIONS.map(({ area }) => area))]

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code)
}

function repeatable(codes: readonly ErrorCode[]): string[] {
  const errors = codes.map((code) => new ApiError(code))
  const statuses = errors.flatMap(({ status, retryAfterSeconds }) =>
    retryAfterSeconds === undefined ? [] : [String(status)],
  )
  return [...new Set(statuses)]
}

/** One row for each envelope. */
function bodyRows(): string[] {
  const bodyOf = (area: Area) => presentError(area, new ApiError(SAMPLE, { param: 'model' }), 'req_...').body
  const byBody = Map.groupBy(AREAS, bodyOf)
  return Array.from(byBody, ([body, areas]) => {
    const others = areas.includes('video') ? ' and every other path' : ''
    return `| ${areas.flatMap(pathsOf).join(', ')}${others} | \`${body}\` |`
  })
}

function section(code: ErrorCode): string {
  const { status, message, advice } = ERRORS[code]
  return `## ${code}\n\nStatus ${status}, ${typesOf(code)}.\n\n> ${message}\n\n${advice}`
}

/** Lists the values of `type`: clients of some areas know another word for the error. */
function typesOf(code: ErrorCode): string {
  const typeIn = (area: Area): unknown =>
    Object(JSON.parse(presentError(area, new ApiError(code), '').body)).error.type
  const usual = typeIn('video')
  const others = Map.groupBy(
    AREAS.filter((area) => ![usual, undefined].includes(typeIn(area))),
    typeIn,
  )
  const exceptions = Array.from(
    others,
    ([type, areas]) => `; \`${type}\` on ${inWords(areas.flatMap(pathsOf))}`,
  )
  return `type \`${usual}\`${exceptions.join('')}`
}

/** Returns the paths of an area that need a key, each as its shortest sufficient beginning. */
function pathsOf(area: Area): string[] {
  const paths = OPERATIONS.filter((operation) => operation.area === area && operation.access !== 'open').map(
    ({ path }) => beginningOf(path, area),
  )
  const first = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)))
  return [...new Set(first)].map((path) => `\`${path}\``)
}

/** Returns the shortest beginning of a path that belongs to the area; for video, the path up to its first parameter. */
function beginningOf(path: string, area: Area): string {
  const fixed = path.replace(/\/:.*$/, '')
  if (area === 'video') return fixed
  const segments = fixed.split('/')
  const beginnings = segments.map((_, index) => segments.slice(0, index + 1).join('/'))
  return beginnings.find((beginning) => areaOfPath(beginning) === area) ?? fixed
}

function inWords(list: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(list)
}
