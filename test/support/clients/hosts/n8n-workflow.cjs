/** What n8n's PostHog node takes from n8n itself: the name of its connections, and its error. */
class NodeApiError extends Error {
  constructor(_node, cause) {
    super(cause.message, { cause })
  }
}

module.exports = { NodeApiError, NodeConnectionTypes: { Main: 'main' } }
