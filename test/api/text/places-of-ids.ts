const user = { role: 'user', content: 'hello' }
const inPart = (part: object) => ({ input: [{ role: 'user', content: [part] }] })
const withTool = (tool: object) => ({ input: 'hello', tools: [tool] })

/** Positions of ids in requests for responses; `mine`: a vendor has given the id to the owner. */
export const PLACES: Record<string, [body: object, param: string, mine: boolean]> = {
  'an item of a tool of the vendor': [
    { input: [{ type: 'code_interpreter_call', id: 'ci_1', code: 'x' }, user] },
    'input.0.id',
    true,
  ],
  'a bare id': [{ input: [{ id: 'msg_files' }, user] }, 'input.0.id', true],
  'reasoning that the vendor has': [
    { input: [{ type: 'reasoning', id: 'rs_1', summary: [] }, user] },
    'input.0.id',
    false,
  ],
  'a file in a part': [inPart({ type: 'input_file', file_id: 'cfile_1' }), 'input.0.content.0.file_id', true],
  'an image in a part': [
    inPart({ type: 'input_image', file_id: 'file_1' }),
    'input.0.content.0.file_id',
    false,
  ],
  'a file in a result': [
    {
      input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'f' }] }],
    },
    'input.0.output.0.file_id',
    false,
  ],
  'a screenshot': [
    {
      input: [
        {
          type: 'computer_call_output',
          call_id: 'c',
          output: { type: 'computer_screenshot', file_id: 'f' },
        },
      ],
    },
    'input.0.output.file_id',
    false,
  ],
  'an approval': [
    { input: [{ type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true }] },
    'input.0.approval_request_id',
    false,
  ],
  'a container': [withTool({ type: 'code_interpreter', container: 'cntr_1' }), 'tools.0.container', true],
  'a file for a container': [
    withTool({ type: 'code_interpreter', container: { type: 'auto', file_ids: ['cfile_1', 'file_2'] } }),
    'tools.0.container.file_ids',
    false,
  ],
  'a file in what should be a list': [
    withTool({ type: 'code_interpreter', container: { type: 'auto', file_ids: { 0: 'file_2' } } }),
    'tools.0.container.file_ids',
    false,
  ],
  'a container of a shell': [
    withTool({ type: 'shell', environment: { type: 'container_reference', container_id: 'cntr_2' } }),
    'tools.0.environment.container_id',
    false,
  ],
  'a vector store': [
    withTool({ type: 'file_search', vector_store_ids: ['vs_1'] }),
    'tools.0.vector_store_ids',
    false,
  ],
  'a mask': [
    withTool({ type: 'image_generation', input_image_mask: { file_id: 'file_1' } }),
    'tools.0.input_image_mask.file_id',
    false,
  ],
  'a tool inside the conversation': [
    {
      input: [
        { type: 'additional_tools', tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
        user,
      ],
    },
    'input.0.tools.0.vector_store_ids',
    false,
  ],
  'a stored prompt': [{ input: 'hello', prompt: { id: 'pmpt_1' } }, 'prompt', false],
  'a response to compare with': [
    { input: 'hello', prompt_cache_options: { comparison_response_id: 'resp_1' } },
    'prompt_cache_options.comparison_response_id',
    false,
  ],
  'a field of tomorrow': [{ input: 'hello', assistant_id: 'asst_1' }, 'assistant_id', false],
  'another spelling': [
    inPart({ type: 'input_text', text: 'a', fileId: 'file_1' }),
    'input.0.content.0.fileId',
    false,
  ],
  'another case': [
    inPart({ type: 'input_text', text: 'a', FILE_ID: 'file_1' }),
    'input.0.content.0.FILE_ID',
    false,
  ],
  'a letter that some readers take for an s': [
    withTool({ type: 'file_search', vector_store_idſ: ['vs_1'] }),
    'tools.0.vector_store_idſ',
    false,
  ],
  'what only a tool was called with': [
    inPart({ type: 'input_file', file_id: 'file_tool' }),
    'input.0.content.0.file_id',
    false,
  ],
}

const inBlock = (block: object) => ({ messages: [{ role: 'user', content: [block] }] })

/** Positions of ids in requests for messages, each with a pattern of the error message. */
export const MESSAGE_PLACES: Record<string, [body: object, param: RegExp, mine: boolean]> = {
  'a container': [{ container: 'container_1' }, /^container:/, true],
  'a container with skills': [{ container: { id: 'container_1' } }, /^container\.id:/, true],
  'a container with the type of a call': [
    { container: { type: 'tool_use', id: 'container_1' } },
    /^container\.id:/,
    true,
  ],
  'a skill of the account': [
    { container: { skills: [{ type: 'custom', skill_id: 'skill_1', version: 'latest' }] } },
    /^container\.skills\.0\.skill_id:/,
    false,
  ],
  'a file of a document': [
    inBlock({ type: 'document', source: { type: 'file', file_id: 'file_made' } }),
    /^messages\.0\.content\.0\.source\.file_id:/,
    true,
  ],
  'a file of an image': [
    inBlock({ type: 'image', source: { type: 'file', file_id: 'file_tool' } }),
    /source\.file_id:/,
    false,
  ],
  'an upload': [inBlock({ type: 'container_upload', file_id: 'file_other' }), /content\.0\.file_id:/, false],
  'a file in a result': [
    inBlock({
      ...{ type: 'tool_result', tool_use_id: 't' },
      content: [{ type: 'document', source: { type: 'file', file_id: 'file_other' } }],
    }),
    /content\.0\.content\.0\.source\.file_id:/,
    false,
  ],
  'a message to compare with': [
    { diagnostics: { previous_message_id: 'msg_thread' } },
    /^diagnostics\.previous_message_id:/,
    true,
  ],
  'a thread': [
    { thread: { type: 'continue', previous_message_id: 'msg_thread' } },
    /^thread\.previous_message_id:/,
    true,
  ],
}
