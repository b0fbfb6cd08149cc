import { CREATE_BODY_BYTES_MAX } from '../../../app/video/create-body/bounds.ts'
import { parseCreateTask } from '../../../app/video/create-body/parse-create-task.ts'
import { quoteJson } from '../../../app/views/quote.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { clientOperation } from '../../operation.ts'
import { CreateTaskBody } from '../create-task/body-schema.ts'

const { quote_id: _, ...QUOTED_FIELDS } = CreateTaskBody.properties ?? {}

export const createQuote = clientOperation('createQuote', 'POST /v1/video/quotes', 'video', {
  summary: 'Ask what a video will cost',
  description:
    'Takes the body of a create call and checks all that the call would check, without asking the vendor. The answer has the order with its defaults written out and the most it can cost. A create call with this `quote_id` never costs more, whatever the vendor measures or the catalog says by then; a shorter video may cost less. A quote reserves nothing: the balance and the limits are checked again.',
  body: {
    schema: { ...CreateTaskBody, properties: QUOTED_FIELDS },
    limitBytes: CREATE_BODY_BYTES_MAX,
    keepsBytes: true,
  },
  replies: {
    200: {
      description: 'The quote.',
      schema: json.object(
        {
          object: json.literal('video.quote'),
          quote_id: json.string({ description: 'Id for one create call of the same organization.' }),
          expires_at: json.integer({ description: 'Unix time in seconds: 15 minutes from now.' }),
          order: json.object(
            {},
            {
              description: 'The body as it was read, with the defaults that the price is computed with.',
            },
          ),
          price_micros: json.integer({ description: 'The estimated price in millionths of a US dollar.' }),
          max_micros: json.integer({ description: 'The maximum charge, which a create call sets aside.' }),
          parts: json.array(
            json.object({
              unit: json.oneOf(['second', 'video_token']),
              quantity: json.number(),
              usd: json.number({ description: 'US dollars for a second, or for a million tokens.' }),
              micros: json.integer(),
            }),
          ),
        },
        { title: 'Quote' },
      ),
    },
    400: {
      description: '`body must be valid JSON`, or a parameter, a combination or the content is refused.',
    },
    402: { description: 'The balance does not cover the maximum charge.' },
    404: { description: 'There is no such video model.' },
    429: {
      description:
        'Too many requests, or the daily limit of the user or a budget does not cover the maximum charge.',
    },
    503: {
      description:
        'The vendor is not configured, the model has no price, the store is unreachable, or the gateway is busy.',
    },
  },
  async serve({ app }, request) {
    const { body, bodyBytes, caller } = request
    const findVideoModel = (name: string) => app.findVideoModel(name, caller.organizationId)
    const order = parseCreateTask(body, bodyBytes, { isAllowedUrl: app.isAllowedUrl, findVideoModel })
    return quoteJson(await app.quoteTask({ request: order, caller }))
  },
})
