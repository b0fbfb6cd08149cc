import { Readable } from 'node:stream'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  LATEST_PROTOCOL_VERSION,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  ErrorCode as RpcError,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { type ApiError, asApiError } from '../../domain/api-error.ts'
import type { EdgeRequest } from '../edge-request.ts'
import { readThrown } from '../errors/answer-errors.ts'
import type { AnswerMcp } from '../operation.ts'
import { getTask } from '../operations/get-task/operation.ts'
import { listTasks } from '../operations/list-tasks/operation.ts'
import { API_VERSION } from '../operations/openapi/group-of.ts'
import { callOperations, type OperationCall } from './call-operations.ts'
import { type McpCall, TOOLS } from './tools.ts'

const URI = /^sluice:\/\/videos\/(task_\w+)$/
const URI_START = 'sluice://videos/'
const RESOURCE_NOT_FOUND = -32_002

/** Serves one message of the Model Context Protocol. There are no sessions: any replica can serve any message. */
export const answerMcp: AnswerMcp = async (request, reply, parts) => {
  const call = callOperations(request, reply, parts)
  const server = new Server(
    { name: 'sluice', version: API_VERSION },
    { capabilities: { tools: {}, resources: {} }, jsonSchemaValidator: VALIDATOR },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(TOOLS).map(([name, { description, properties, required }]) => ({
      name,
      description,
      inputSchema: { type: 'object', properties, required: [...(required ?? [])] },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = Object.hasOwn(TOOLS, params.name) ? TOOLS[params.name] : undefined
    if (tool === undefined) throw new McpError(RpcError.InvalidParams, `There is no tool ${params.name}.`)
    const { _meta: { progressToken } = {}, signal } = extra
    const mcpCall: McpCall = { call, args: withoutNulls(params.arguments), signal }
    if (progressToken !== undefined)
      mcpCall.report = (progress, message) =>
        extra.sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress, message },
        })
    try {
      return resultOf(await tool.run(mcpCall))
    } catch (error) {
      return refusalOf(asApiError(error) ?? readThrown(error, request, parts.log))
    }
  })
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: `${URI_START}{task_id}`,
        name: 'video',
        description: 'A video task with its link.',
        mimeType: JSON_TYPE,
      },
    ],
  }))
  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) => {
    const { data, next_cursor } = await call(listTasks, { query: { limit: '100', cursor: params?.cursor } })
    const tasks = Array.isArray(data) ? data : []
    return {
      resources: tasks
        .filter(({ status }) => status === 'succeeded')
        .map(({ id, model }) => ({ uri: `${URI_START}${id}`, name: `${model} ${id}`, mimeType: JSON_TYPE })),
      ...(typeof next_cursor === 'string' && next_cursor !== '' && { nextCursor: next_cursor }),
    }
  })
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(await readVideo(uri, call)) }],
  }))
  const transport = new WebStandardStreamableHTTPServerTransport()
  await server.connect(transport)
  reply.onClose(() => void server.close())
  const headers = Object.entries(request.headers).flatMap<[string, string]>(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const response = await transport.handleRequest(
    new Request('http://gateway/mcp', { method: 'POST', headers }),
    { parsedBody: inOfferedVersion(request) },
  )
  reply.code(response.status)
  for (const [name, value] of response.headers) if (name !== 'connection') reply.header(name, value)
  return reply.send(response.body === null ? undefined : Readable.fromWeb(response.body))
}

/** Created once, because its creation takes longer than most messages. */
const VALIDATOR = new AjvJsonSchemaValidator()

const JSON_TYPE = 'application/json'

/** Models write null for an argument that they leave out. */
function withoutNulls(args: JsonObject = {}): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
}

/** Earlier versions of the protocol send lists of messages, which are refused here. */
const OLDEST_VERSION = '2025-06-18'

/** A client of an earlier version is answered with the newest one, as the protocol asks. */
function inOfferedVersion({ body }: EdgeRequest): unknown {
  if (!isJsonObject(body) || body.method !== 'initialize' || !isJsonObject(body.params)) return body
  const { protocolVersion: asked } = body.params
  if (typeof asked !== 'string' || asked >= OLDEST_VERSION) return body
  return { ...body, params: { ...body.params, protocolVersion: LATEST_PROTOCOL_VERSION } }
}

async function readVideo(uri: string, call: OperationCall): Promise<JsonObject> {
  const [, taskId] = URI.exec(uri) ?? []
  try {
    if (taskId !== undefined) return await call(getTask, { params: { task_id: taskId } })
  } catch (error) {
    if (asApiError(error)?.status !== 404) throw error
  }
  throw new McpError(RESOURCE_NOT_FOUND, 'This API key has no such video.', { uri })
}

function resultOf(value: JsonObject): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value }
}

function refusalOf({ code, message, param, priceMicros }: ApiError): CallToolResult {
  const price = priceMicros === undefined ? {} : { price_micros: priceMicros, price_usd: priceMicros / 1e6 }
  return { ...resultOf({ error: { code, message, param, ...price } }), isError: true }
}
