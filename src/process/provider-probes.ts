import type { Provider, TextProvider } from '../config/providers/provider.ts'
import type { Dialect } from '../domain/catalog/dialect.ts'
import type { ConnectionFault } from './explain-connection.ts'

/** A call that costs nothing and makes nothing, and what its answer says about address and key. */
export interface ProviderProbe {
  /** What is checked, for a person: `provider vendorC (chat, key 2)`. */
  name: string
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** Whether the vendor looks at a key here. */
  showsKey: boolean
  /** Whether a 404 comes from the API itself, as it does for a task that does not exist. */
  isOwn404(body: unknown): boolean
}

/** An unknown task for video vendors, an empty request for text vendors: nothing is made and nothing is charged. */
export function probesOf(provider: Provider): ProviderProbe[] {
  switch (provider.driver) {
    case 'vendor-a':
      return [
        {
          name: `provider ${provider.name}`,
          method: 'GET',
          path: '/contents/generations/tasks/cgt-doctor',
          headers: { authorization: `Bearer ${provider.apiKey.reveal()}` },
          showsKey: true,
          isOwn404: (body) => typeof Object(Object(body).error).code === 'string',
        },
      ]
    case 'vendor-b':
      return [
        {
          name: `provider ${provider.name}`,
          method: 'GET',
          path: '/api/v1/video/text2video/task/doctor',
          headers: {},
          // Its key travels in the body of a create call alone, and a create call may be charged.
          showsKey: false,
          isOwn404: (body) => Object(body).code !== undefined || Object(body).status !== undefined,
        },
      ]
    case 'text':
      return textProbes(provider)
  }
}

const TEXT_PATHS: Record<Dialect, string> = {
  messages: '/v1/messages',
  responses: '/v1/responses',
  chat: '/v1/chat/completions',
}

/** Every dialect that a model of it speaks, with the first key; every further key with the first dialect. */
function textProbes({ name, keys, models, versionHeader, chat }: TextProvider): ProviderProbe[] {
  const dialects = [...new Set([...models.values()].map(({ dialect }) => dialect))]
  return dialects.flatMap((dialect, at) =>
    (at === 0 ? keys : keys.slice(0, 1)).map(({ key }, index) => ({
      name: `provider ${name} (${dialect}${keys.length > 1 ? `, key ${index + 1}` : ''})`,
      method: 'POST',
      path: dialect === 'chat' ? (chat?.path ?? TEXT_PATHS.chat) : TEXT_PATHS[dialect],
      headers: {
        'content-type': 'application/json',
        ...(dialect === 'messages'
          ? { 'x-api-key': key.reveal(), [versionHeader]: '2023-06-01' }
          : { authorization: `Bearer ${key.reveal()}` }),
      },
      body: '{}',
      showsKey: true,
      isOwn404: () => false,
    })),
  )
}

/** undefined: the answer is what a working provider gives. */
export function faultOf(
  probe: ProviderProbe,
  { status, body }: { status: number; body: string },
  { setting, keySetting }: { setting: string; keySetting: string },
): ConnectionFault | undefined {
  const parsed = parsedOrNone(body)
  if (status === 401 || status === 403) {
    return {
      detail: `it refuses the key (HTTP ${status})`,
      fix: `Check ${keySetting}, and that the account behind it is active.`,
    }
  }
  if (status >= 300 && status < 400)
    return { detail: `it redirects (HTTP ${status})`, fix: `Set ${setting} to the address it redirects to.` }
  const isMissing = (status === 404 || status === 405) && !probe.isOwn404(parsed)
  if (isMissing || parsed === undefined) {
    return {
      detail: `there is no API of this driver at ${probe.path} (HTTP ${status})`,
      fix: `Check the path in ${setting}: ${probe.path} is added to it.`,
    }
  }
  if (status >= 500)
    return { detail: `it is in trouble (HTTP ${status})`, fix: 'Ask the vendor, or try again later.' }
  return undefined
}

function parsedOrNone(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
