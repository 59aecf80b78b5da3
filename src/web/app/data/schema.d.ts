/** Made by `npm run api-types` from the routes of the API; not to be edited. */

export interface paths {
  "/api/environments/{project_id}/": {
    get: operations["projects_retrieve"];
    delete: operations["projects_destroy"];
    patch: operations["projects_partial_update"];
  };
  "/api/environments/{project_id}/reset_token/": {
    post: operations["projects_reset_token_create"];
  };
  "/api/environments/{project_id}/usage/": {
    get: operations["projects_usage_retrieve"];
  };
  "/api/environments/{project_id}/persons/{id}/": {
    get: operations["persons_retrieve"];
    put: operations["persons_update"];
    delete: operations["persons_destroy"];
    patch: operations["persons_partial_update"];
  };
  "/api/environments/{project_id}/persons/{id}/update_property/": {
    post: operations["persons_update_property_create"];
  };
  "/api/environments/{project_id}/persons/{id}/delete_property/": {
    post: operations["persons_delete_property_create"];
  };
  "/api/environments/{project_id}/persons/{id}/split/": {
    post: operations["persons_split_create"];
  };
  "/api/environments/{project_id}/persons/{id}/merge/": {
    post: operations["persons_merge_create"];
  };
  "/api/environments/{project_id}/persons/{id}/properties_timeline/": {
    get: operations["persons_properties_timeline_retrieve"];
  };
  "/api/environments/{project_id}/persons/{id}/counts/": {
    get: operations["persons_counts_retrieve"];
  };
  "/api/environments/{project_id}/persons/": {
    get: operations["persons_list"];
  };
  "/api/environments/{project_id}/persons/values/": {
    get: operations["persons_values_retrieve"];
  };
  "/api/environments/{project_id}/persons/batch_by_distinct_ids/": {
    post: operations["persons_batch_by_distinct_ids_create"];
  };
  "/api/environments/{project_id}/persons/batch_by_uuids/": {
    post: operations["persons_batch_by_uuids_create"];
  };
  "/api/environments/{project_id}/persons/properties_at_time/": {
    get: operations["persons_properties_at_time_retrieve"];
  };
  "/api/environments/{project_id}/persons/cohorts/": {
    get: operations["persons_cohorts_retrieve"];
  };
  "/api/environments/{project_id}/persons/bulk_delete/": {
    post: operations["persons_bulk_delete_create"];
  };
  "/api/environments/{project_id}/persons/deletion_status/": {
    get: operations["persons_deletion_status_retrieve"];
  };
  "/api/environments/{project_id}/persons/reset_person_distinct_id/": {
    post: operations["persons_reset_person_distinct_id_create"];
  };
  "/api/environments/{project_id}/persons/{id}/delete_events/": {
    post: operations["persons_delete_events_create"];
  };
  "/api/environments/{project_id}/persons/{id}/delete_recordings/": {
    post: operations["persons_delete_recordings_create"];
  };
  "/api/environments/{project_id}/activity_log/{id}/undo/": {
    post: operations["activity_log_undo_create"];
  };
  "/api/environments/{project_id}/persons/deletion_summary/": {
    get: operations["persons_deletion_summary_retrieve"];
  };
  "/api/environments/{project_id}/activity_log/": {
    get: operations["activity_log_list"];
  };
  "/api/environments/{project_id}/persons/activity/": {
    get: operations["persons_all_activity_retrieve"];
  };
  "/api/environments/{project_id}/persons/{id}/activity/": {
    get: operations["persons_activity_retrieve"];
  };
  "/api/environments/{project_id}/session_recordings/": {
    get: operations["session_recordings_list"];
  };
  "/api/environments/{project_id}/session_recordings/{id}/": {
    get: operations["session_recordings_retrieve"];
    put: operations["session_recordings_update"];
    delete: operations["session_recordings_destroy"];
    patch: operations["session_recordings_partial_update"];
  };
  "/api/environments/{project_id}/session_recordings/{id}/viewed/": {
    get: operations["session_recordings_viewed_retrieve"];
  };
  "/api/environments/{project_id}/session_recordings/matching_events/": {
    get: operations["session_recordings_matching_events_retrieve"];
  };
  "/api/environments/{project_id}/session_recordings/bulk_delete/": {
    post: operations["session_recordings_bulk_delete_create"];
  };
  "/api/environments/{project_id}/session_recordings/bulk_viewed/": {
    post: operations["session_recordings_bulk_viewed_create"];
  };
  "/api/environments/{project_id}/session_recordings/bulk_not_viewed/": {
    post: operations["session_recordings_bulk_not_viewed_create"];
  };
  "/api/environments/{project_id}/session_recordings/batch_check_exists/": {
    post: operations["session_recordings_batch_check_exists_create"];
  };
  "/api/environments/{project_id}/session_recordings/{id}/snapshots/": {
    get: operations["session_recordings_snapshots_retrieve"];
  };
  "/api/environments/{project_id}/session_recordings/{id}/snapshots/export/": {
    get: operations["session_recordings_snapshots_export_retrieve"];
  };
  "/api/environments/{project_id}/session_recordings/{recording_id}/sharing/": {
    get: operations["session_recordings_sharing_retrieve"];
    patch: operations["session_recordings_sharing_partial_update"];
  };
  "/api/environments/{project_id}/session_recordings/{recording_id}/sharing/refresh/": {
    post: operations["session_recordings_sharing_refresh_create"];
  };
  "/api/environments/{project_id}/session_recordings/{recording_id}/sharing/passwords/": {
    post: operations["session_recordings_sharing_passwords_create"];
  };
  "/api/environments/{project_id}/session_recordings/{recording_id}/sharing/passwords/{password_id}/": {
    delete: operations["session_recordings_sharing_passwords_destroy"];
  };
  "/api/environments/{project_id}/sessions/": {
    get: operations["sessions_list"];
  };
  "/api/environments/{project_id}/sessions/property_definitions/": {
    get: operations["sessions_property_definitions_retrieve"];
  };
  "/api/environments/{project_id}/sessions/values/": {
    get: operations["sessions_values_retrieve"];
  };
  "/api/environments/{project_id}/sessions/{session_id}/": {
    get: operations["sessions_retrieve"];
  };
  "/api/environments/{project_id}/events/": {
    get: operations["events_list"];
  };
  "/api/environments/{project_id}/events/values/": {
    get: operations["events_values_retrieve"];
  };
  "/api/environments/{project_id}/events/live/": {
    get: operations["events_live_retrieve"];
  };
  "/api/environments/{project_id}/events/{id}/": {
    get: operations["events_retrieve"];
  };
  "/api/environments/{project_id}/event_definitions/": {
    get: operations["definitions_event_definitions_retrieve"];
  };
  "/api/environments/{project_id}/property_definitions/": {
    get: operations["definitions_property_definitions_retrieve"];
  };
  "/api/environments/{project_id}/ingestion_warnings/": {
    get: operations["events_ingestion_warnings_retrieve"];
  };
  "/api/environments/{project_id}/subscriptions/": {
    get: operations["subscriptions_list"];
    post: operations["subscriptions_create"];
  };
  "/api/environments/{project_id}/subscriptions/{id}/": {
    get: operations["subscriptions_retrieve"];
    put: operations["subscriptions_update"];
    delete: operations["subscriptions_destroy"];
    patch: operations["subscriptions_partial_update"];
  };
  "/api/environments/{project_id}/subscriptions/{id}/deliveries/": {
    get: operations["subscriptions_all_deliveries_retrieve"];
  };
  "/api/environments/{project_id}/subscriptions/{id}/deliveries/{delivery_id}/": {
    get: operations["subscriptions_deliveries_retrieve"];
  };
  "/api/environments/{project_id}/subscriptions/{id}/deliveries/{delivery_id}/resend/": {
    post: operations["subscriptions_deliveries_resend_create"];
  };
  "/api/environments/{project_id}/subscriptions/{id}/test-delivery/": {
    post: operations["subscriptions_testdelivery_create"];
  };
  "/api/environments/{project_id}/insights/": {
    get: operations["insights_list"];
    post: operations["insights_create"];
  };
  "/api/environments/{project_id}/insights/{id}/": {
    get: operations["insights_retrieve"];
    delete: operations["insights_destroy"];
    patch: operations["insights_partial_update"];
  };
  "/api/environments/{project_id}/dashboards/": {
    get: operations["dashboards_list"];
    post: operations["dashboards_create"];
  };
  "/api/environments/{project_id}/dashboards/{id}/": {
    get: operations["dashboards_retrieve"];
    delete: operations["dashboards_destroy"];
    patch: operations["dashboards_partial_update"];
  };
  "/api/environments/{project_id}/insights/{id}/chart.png/": {
    get: operations["insights_chartpng_retrieve"];
  };
  "/api/environments/{project_id}/insights/{id}/chart.svg/": {
    get: operations["insights_chartsvg_retrieve"];
  };
  "/api/environments/{project_id}/dashboards/{id}/chart.png/": {
    get: operations["dashboards_chartpng_retrieve"];
  };
  "/api/environments/{project_id}/query/": {
    post: operations["query_create"];
  };
  "/api/environments/{project_id}/feature_flags/": {
    get: operations["feature_flags_list"];
  };
  "/api/environments/{project_id}/experiments/": {
    get: operations["experiments_list"];
  };
  "/api/environments/{project_id}/surveys/": {
    get: operations["surveys_list"];
  };
  "/api/environments/{project_id}/cohorts/": {
    get: operations["cohorts_list"];
  };
  "/api/environments/{project_id}/actions/": {
    get: operations["actions_list"];
  };
  "/api/environments/{project_id}/feature_flags/{key}/remote_config/": {
    get: operations["feature_flags_remote_config_retrieve"];
  };
  "/api/personal_api_keys/": {
    get: operations["personal_api_keys_list"];
    post: operations["personal_api_keys_create"];
  };
  "/api/personal_api_keys/{id}/": {
    get: operations["personal_api_keys_retrieve"];
    delete: operations["personal_api_keys_destroy"];
    patch: operations["personal_api_keys_partial_update"];
  };
  "/api/personal_api_keys/{id}/roll/": {
    post: operations["personal_api_keys_roll_create"];
  };
  "/logout/": {
    post: operations["sign_in_logout_create"];
  };
  "/api/users/@me/login_sessions/": {
    get: operations["sign_in_users_me_login_sessions_retrieve"];
  };
  "/api/users/@me/login_sessions/{id}/": {
    delete: operations["sign_in_users_me_login_sessions_destroy"];
  };
  "/api/users/@me/login_sessions/revoke_others/": {
    post: operations["sign_in_users_me_login_sessions_revoke_others_create"];
  };
  "/api/users/@me/": {
    get: operations["users_me_retrieve"];
    patch: operations["users_me_partial_update"];
  };
  "/api/organizations/": {
    get: operations["organizations_list"];
  };
  "/api/organizations/{organization_id}/": {
    get: operations["organizations_retrieve"];
  };
  "/api/projects/": {
    get: operations["projects_list"];
    post: operations["projects_create"];
  };
  "/api/organizations/{organization_id}/projects/": {
    get: operations["organizations_projects_retrieve"];
  };
  "/api/feature_flag/local_evaluation/": {
    get: operations["feature_flags_feature_flag_local_evaluation_retrieve"];
  };
  "/_health": {
    get: operations["system_health_retrieve"];
  };
  "/_ready": {
    get: operations["system_ready_retrieve"];
  };
  "/metrics": {
    get: operations["system_metrics_retrieve"];
  };
  "/_preflight/": {
    get: operations["sign_in_preflight_retrieve"];
  };
  "/api/login/": {
    post: operations["sign_in_login_create"];
  };
  "/api/signup/": {
    post: operations["sign_in_signup_create"];
  };
  "/api/reset/": {
    post: operations["sign_in_reset_create"];
  };
  "/api/schema/": {
    get: operations["system_schema_retrieve"];
  };
}

export type webhooks = Record<string, never>;

export interface components {
  schemas: {
    Session: {
      id: string;
      distinct_id: string;
      person: {
        id: number;
        uuid: string;
        name: string;
        distinct_ids: string[];
        properties: {
          [key: string]: unknown;
        };
        created_at: string;
      } | null;
      start_time: string;
      end_time: string;
      duration: number;
      has_recording: boolean;
      recording: {
        start_time: string;
        end_time: string;
        recording_duration: number;
        active_seconds: number;
        expiry_time: string;
      } | null;
      properties: {
        [key: string]: unknown;
      };
    };
    Event: {
      id: string;
      uuid: string;
      event: string;
      distinct_id: string;
      timestamp: string;
      properties: {
        [key: string]: unknown;
      };
      person: {
        id: number;
        uuid: string;
        name: string;
        distinct_ids: string[];
        properties: {
          [key: string]: unknown;
        };
        created_at: string;
      } | null;
      session_id: string | null;
    };
    EventDefinition: {
      id: string;
      name: string;
      created_at: string;
      last_seen_at: string;
      volume: number;
      tags: string[];
    };
    PropertyDefinition: {
      id: string;
      name: string;
      type: "event" | "person";
      property_type: ("String" | "Numeric" | "Boolean" | "DateTime") | null;
      is_numerical: boolean;
      count: number;
      is_seen_on_filtered_events: null;
      tags: string[];
    };
    IngestionWarning: {
      id: string;
      type: string;
      details: {
        [key: string]: unknown;
      };
      created_at: string;
    };
    Subscription: {
      id: number;
      dashboard: number | null;
      insight: number | null;
      target_type: "email" | "slack" | "webhook" | "teams";
      target_value: string;
      frequency: "daily" | "weekly" | "monthly" | "yearly";
      interval: number;
      byweekday: (("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]) | null;
      bysetpos: number | null;
      count: number | null;
      start_date: string;
      until_date: string | null;
      created_at: string;
      created_by: {
        id: number;
        uuid: string;
        distinct_id: string;
        first_name: string;
        last_name: string;
        email: string;
        is_email_verified: boolean;
        hedgehog_config: {
          [key: string]: unknown;
        };
      };
      deleted: boolean;
      title: string | null;
      summary: string;
      next_delivery_date: string | null;
      invite_message: string | null;
      timezone: string;
      signing_secret: string | null;
      enabled: boolean;
      delivery_problem: string | null;
    };
    SubscriptionDelivery: {
      id: string;
      subscription: number;
      idempotency_key: string;
      trigger_type: "scheduled" | "target_change" | "manual";
      occasion: "scheduled" | "confirmation" | "invitation" | "test";
      scheduled_at: string | null;
      late: boolean;
      target_type: "email" | "slack" | "webhook" | "teams";
      target_value: string;
      exported_asset_ids: number[];
      content_snapshot: {
        [key: string]: unknown;
      };
      recipient_results: ({
          recipient: string;
          status: "success" | "failed" | "pending" | "skipped";
          error: {
            message: string;
            type: string;
          } | null;
          attempts: number;
          message_id: string | null;
          possible_repeat: boolean;
          sent_at: string | null;
        })[];
      status: "completed" | "failed" | "skipped" | "starting";
      error: {
        message: string;
        type: string;
      } | null;
      created_at: string;
      last_updated_at: string;
      finished_at: string | null;
    };
    Insight: {
      id: number;
      short_id: string;
      name: string | null;
      derived_name: string | null;
      description: string | null;
      query: {
        [key: string]: unknown;
      } | null;
      filters: {
        [key: string]: unknown;
      };
      order: number | null;
      deleted: boolean;
      dashboards: number[];
      dashboard_tiles: {
          id: number;
          dashboard_id: number;
        }[];
      favorited: boolean;
      saved: boolean;
      tags: string[];
      result: unknown[] | null;
      last_refresh: string | null;
      is_cached: boolean;
      timezone: string | null;
      created_at: string;
      created_by: {
        id: number;
        uuid: string;
        distinct_id: string;
        first_name: string;
        last_name: string;
        email: string;
        is_email_verified: boolean;
        hedgehog_config: {
          [key: string]: unknown;
        };
      } | null;
      updated_at: string;
      last_modified_at: string;
      last_modified_by: {
        id: number;
        uuid: string;
        distinct_id: string;
        first_name: string;
        last_name: string;
        email: string;
        is_email_verified: boolean;
        hedgehog_config: {
          [key: string]: unknown;
        };
      } | null;
    };
    DashboardListItem: {
      id: number;
      name: string | null;
      description: string;
      pinned: boolean;
      tags: string[];
      created_at: string;
      created_by: {
        id: number;
        uuid: string;
        distinct_id: string;
        first_name: string;
        last_name: string;
        email: string;
        is_email_verified: boolean;
        hedgehog_config: {
          [key: string]: unknown;
        };
      } | null;
      is_shared: boolean;
      deleted: boolean;
      creation_mode: "default" | "template" | "duplicate" | "unlisted";
    };
    Dashboard: {
      id: number;
      name: string | null;
      description: string;
      pinned: boolean;
      tags: string[];
      created_at: string;
      created_by: {
        id: number;
        uuid: string;
        distinct_id: string;
        first_name: string;
        last_name: string;
        email: string;
        is_email_verified: boolean;
        hedgehog_config: {
          [key: string]: unknown;
        };
      } | null;
      is_shared: boolean;
      deleted: boolean;
      creation_mode: "default" | "template" | "duplicate" | "unlisted";
      filters: {
        [key: string]: unknown;
      };
      tiles: ({
          id: number;
          order: number;
          layouts: {
            [key: string]: unknown;
          };
          color: string | null;
          error: string | null;
          insight: components["schemas"]["Insight"];
        })[];
    };
    QueryResult: {
      results: unknown[];
      timezone: string;
      last_refresh: string;
      is_cached: boolean;
    };
    Organization: {
      id: string;
      name: string;
      created_at: string;
    };
    Error: {
      type: "validation_error" | "invalid_request" | "authentication_error" | "throttled_error" | "server_error";
      code: string;
      detail: string;
      attr: string | null;
      errors?: ({
          code: string;
          detail: string;
          attr: string | null;
        })[];
    };
  };
  responses: {
    BadRequest: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    Unauthorized: {
      headers: {
        "WWW-Authenticate"?: string;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    Forbidden: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    NotFound: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    RequestTimeout: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    Conflict: {
      headers: {
        "Retry-After"?: string;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    ContentTooLarge: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    UnsupportedMediaType: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    UnprocessableContent: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    TooManyRequests: {
      headers: {
        "Retry-After"?: string;
        "RateLimit-Limit"?: string;
        "RateLimit-Remaining"?: string;
        "RateLimit-Reset"?: string;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    RequestHeaderFieldsTooLarge: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    ServiceUnavailable: {
      headers: {
        "Retry-After"?: string;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
    GatewayTimeout: {
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
  };
  parameters: {
    ProjectId: string;
    IdempotencyKey?: string;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}

export type $defs = Record<string, never>;

export type external = Record<string, never>;

export interface operations {

  projects_retrieve: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: number;
            uuid: string;
            organization: string;
            project_id: number;
            api_token: string;
            name: string;
            timezone: string;
            is_demo: boolean;
            ingested_event: boolean;
            created_at: string;
            person_display_name_properties: string[] | null;
            session_recording_opt_in: boolean;
            capture_console_log_opt_in: boolean;
            session_recording_retention_period: "30d" | "90d" | "1y" | "5y";
            session_recording_quota_bytes: number | null;
            events_retention_days: number | null;
            autocapture_exceptions_opt_in: boolean;
            autocapture_web_vitals_opt_in: boolean;
            heatmaps_opt_in: boolean;
            capture_dead_clicks: boolean;
            anonymize_ips: boolean;
          };
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  projects_destroy: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  projects_partial_update: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          name?: string;
          timezone?: string;
          person_display_name_properties?: string[] | null;
          session_recording_opt_in?: boolean;
          capture_console_log_opt_in?: boolean;
          session_recording_retention_period?: "30d" | "90d" | "1y" | "5y";
          session_recording_quota_bytes?: number | null;
          events_retention_days?: number | null;
          autocapture_exceptions_opt_in?: boolean;
          autocapture_web_vitals_opt_in?: boolean;
          heatmaps_opt_in?: boolean;
          capture_dead_clicks?: boolean;
          anonymize_ips?: boolean;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: number;
            uuid: string;
            organization: string;
            project_id: number;
            api_token: string;
            name: string;
            timezone: string;
            is_demo: boolean;
            ingested_event: boolean;
            created_at: string;
            person_display_name_properties: string[] | null;
            session_recording_opt_in: boolean;
            capture_console_log_opt_in: boolean;
            session_recording_retention_period: "30d" | "90d" | "1y" | "5y";
            session_recording_quota_bytes: number | null;
            events_retention_days: number | null;
            autocapture_exceptions_opt_in: boolean;
            autocapture_web_vitals_opt_in: boolean;
            heatmaps_opt_in: boolean;
            capture_dead_clicks: boolean;
            anonymize_ips: boolean;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  projects_reset_token_create: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: number;
            uuid: string;
            organization: string;
            project_id: number;
            api_token: string;
            name: string;
            timezone: string;
            is_demo: boolean;
            ingested_event: boolean;
            created_at: string;
            person_display_name_properties: string[] | null;
            session_recording_opt_in: boolean;
            capture_console_log_opt_in: boolean;
            session_recording_retention_period: "30d" | "90d" | "1y" | "5y";
            session_recording_quota_bytes: number | null;
            events_retention_days: number | null;
            autocapture_exceptions_opt_in: boolean;
            autocapture_web_vitals_opt_in: boolean;
            heatmaps_opt_in: boolean;
            capture_dead_clicks: boolean;
            anonymize_ips: boolean;
          };
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  projects_usage_retrieve: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            events: {
              count: number;
              last_hour: number;
              first_at: string | null;
              last_at: string | null;
            };
            persons: {
              count: number;
            };
            recordings: {
              count: number;
              stored_bytes: number;
            };
            warnings: {
              last_day: number;
            };
          };
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  persons_retrieve: {
    parameters: {
      query?: {
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: number;
            name: string;
            distinct_ids: string[];
            properties: {
              [key: string]: unknown;
            };
            created_at: string;
            uuid: string;
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_update: {
    parameters: {
      query?: {
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          properties: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: number;
            name: string;
            distinct_ids: string[];
            properties: {
              [key: string]: unknown;
            };
            created_at: string;
            uuid: string;
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_destroy: {
    parameters: {
      query?: {
        delete_events?: boolean;
        delete_recordings?: boolean;
        keep_person?: boolean;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_partial_update: {
    parameters: {
      query?: {
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          properties: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: number;
            name: string;
            distinct_ids: string[];
            properties: {
              [key: string]: unknown;
            };
            created_at: string;
            uuid: string;
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_update_property_create: {
    parameters: {
      query?: {
        key?: string;
        value?: string;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          key?: unknown;
          value?: unknown;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            success: boolean;
            person: {
              id: number;
              name: string;
              distinct_ids: string[];
              properties: {
                [key: string]: unknown;
              };
              created_at: string;
              uuid: string;
            };
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_delete_property_create: {
    parameters: {
      query?: {
        $unset?: string;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          $unset?: unknown;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            success: boolean;
            person: {
              id: number;
              name: string;
              distinct_ids: string[];
              properties: {
                [key: string]: unknown;
              };
              created_at: string;
              uuid: string;
            };
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_split_create: {
    parameters: {
      query?: {
        main_distinct_id?: string;
        distinct_ids_to_split?: string;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          main_distinct_id?: unknown;
          distinct_ids_to_split?: unknown;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            success: boolean;
            person: {
              id: number;
              name: string;
              distinct_ids: string[];
              properties: {
                [key: string]: unknown;
              };
              created_at: string;
              uuid: string;
            };
            split: {
                id: number;
                name: string;
                distinct_ids: string[];
                properties: {
                  [key: string]: unknown;
                };
                created_at: string;
                uuid: string;
              }[];
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_merge_create: {
    parameters: {
      query?: {
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          person?: unknown;
          preview?: boolean;
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            success: boolean;
            preview: boolean;
            person: {
              id: number;
              name: string;
              distinct_ids: string[];
              properties: {
                [key: string]: unknown;
              };
              created_at: string;
              uuid: string;
            };
            merged: {
              id: number;
              name: string;
              distinct_ids: string[];
              properties: {
                [key: string]: unknown;
              };
              created_at: string;
              uuid: string;
            };
            properties: {
              added: {
                [key: string]: unknown;
              };
              differing: {
                  key: string;
                  person: unknown;
                  other: unknown;
                }[];
            };
            events: {
              person: number;
              other: number;
            } | null;
            recordings: {
              person: number;
              other: number;
            } | null;
            activity_id: string | null;
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_properties_timeline_retrieve: {
    parameters: {
      query?: {
        events?: string;
        actions?: string;
        properties?: string;
        breakdown?: string;
        breakdown_type?: string;
        date_from?: string;
        date_to?: string;
        interval?: "hour" | "day" | "week" | "month";
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            points: {
                timestamp: string;
                properties: {
                  [key: string]: unknown;
                };
                relevant_event_count: number;
              }[];
            crucial_property_keys: string[];
            effective_date_from: string;
            effective_date_to: string;
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  persons_counts_retrieve: {
    parameters: {
      query?: {
        by_distinct_id?: boolean;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            events: number;
            sessions: number;
            recordings: number;
            bytes: number;
            first_seen: string | null;
            last_seen: string | null;
            distinct_ids?: {
                distinct_id: string;
                events: number;
              }[];
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  persons_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        cursor?: string;
        search?: string;
        email?: string;
        distinct_id?: string;
        properties?: string;
        updated_after?: string;
        ordering?: "-created_at" | "created_at" | "-last_seen_at" | "last_seen_at";
        include_total?: boolean;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: ({
                type: "person";
                id: number;
                uuid: string;
                created_at: string;
                last_seen_at: string | null;
                properties: {
                  [key: string]: unknown;
                };
                is_identified: boolean;
                name: string;
                distinct_ids: string[];
                matched_recordings: {
                    [key: string]: unknown;
                  }[];
                value_at_data_point: null;
              })[];
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  persons_values_retrieve: {
    parameters: {
      query?: {
        key?: string;
        value?: string;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            results: {
                name: string;
                count: number;
              }[];
            refreshing: boolean;
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  persons_batch_by_distinct_ids_create: {
    parameters: {
      query?: {
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          distinct_ids?: unknown;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            results: {
              [key: string]: unknown;
            };
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_batch_by_uuids_create: {
    parameters: {
      query?: {
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          uuids?: unknown;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            results: {
              [key: string]: unknown;
            };
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_properties_at_time_retrieve: {
    parameters: {
      query?: {
        distinct_id?: string;
        person_id?: string;
        timestamp?: string;
        include_set_once?: boolean;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: number;
            name: string;
            distinct_ids: string[];
            properties: {
              [key: string]: unknown;
            };
            created_at: string;
            uuid: string;
            point_in_time_metadata: {
              queried_timestamp: string;
              include_set_once: boolean;
              distinct_id_used: string | null;
              person_id_used: string | null;
              query_mode: "distinct_id" | "person_id";
              distinct_ids_queried: string[];
              distinct_ids_count: number;
            };
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_cohorts_retrieve: {
    parameters: {
      query: {
        person_id: string;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: ({
                id: number;
                name: string;
                count: number | null;
              })[];
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_bulk_delete_create: {
    parameters: {
      query?: {
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          ids?: unknown[];
          distinct_ids?: string[];
          delete_events?: boolean;
          delete_recordings?: boolean;
          keep_person?: boolean;
        };
      };
    };
    responses: {
      202: {
        content: {
          "application/json": {
            persons_found: number;
            persons_deleted: number;
            events_queued_for_deletion: boolean;
            recordings_queued_for_deletion: boolean;
            deletion_errors: {
                person_uuid: string;
              }[];
            ids_not_found: unknown[];
            distinct_ids_not_found: string[];
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_deletion_status_retrieve: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        status?: "pending" | "completed" | "all";
        person_uuid?: string;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: ({
                person_id: number;
                person_uuid: string;
                created_at: string;
                status: "pending" | "completed";
                scheduled_for: string;
                delete_verified_at: string | null;
                events_deleted: number | null;
                sessions_deleted: number | null;
                recordings_deleted: number | null;
              })[];
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  persons_reset_person_distinct_id_create: {
    parameters: {
      query?: {
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          distinct_id?: unknown;
        };
      };
    };
    responses: {
      202: {
        content: {
          "application/json": {
            success: boolean;
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_delete_events_create: {
    parameters: {
      query?: {
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      202: {
        content: {
          "application/json": {
            person_id: number;
            person_uuid: string;
            created_at: string;
            status: "pending" | "completed";
            scheduled_for: string;
            delete_verified_at: string | null;
            events_deleted: number | null;
            sessions_deleted: number | null;
            recordings_deleted: number | null;
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_delete_recordings_create: {
    parameters: {
      query?: {
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      202: {
        content: {
          "application/json": {
            recordings_deleted: number;
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  activity_log_undo_create: {
    parameters: {
      query?: {
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            success: boolean;
            person: {
              id: number;
              name: string;
              distinct_ids: string[];
              properties: {
                [key: string]: unknown;
              };
              created_at: string;
              uuid: string;
            };
            split: {
                id: number;
                name: string;
                distinct_ids: string[];
                properties: {
                  [key: string]: unknown;
                };
                created_at: string;
                uuid: string;
              }[];
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      409: components["responses"]["Conflict"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  persons_deletion_summary_retrieve: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            pending: number;
            scheduled_for: string;
            phase: "idle" | "draining" | "deleting" | "compacting";
            since: string | null;
            last_run: ({
              started_at: string;
              finished_at: string;
              persons: number;
              events: number;
              sessions: number;
              recordings: number;
              bytes_given_back: number | null;
            }) | null;
          };
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  activity_log_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        scope?: string;
        item_id?: string;
        user?: string;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: ({
                id: string;
                user: {
                  id?: number;
                  uuid?: string;
                  first_name: string;
                  email: string | null;
                  is_system?: boolean;
                };
                activity: string;
                scope: string;
                item_id: string | null;
                detail: {
                  changes: (({
                      type: string;
                      action: string;
                      field: string | null;
                      key?: string;
                      before: unknown;
                      after: unknown;
                    })[]) | null;
                  trigger: {
                    job_type: string;
                    job_id: string;
                    payload: {
                      [key: string]: unknown;
                    };
                  } | null;
                  name: string | null;
                  short_id: string | null;
                  type: string | null;
                };
                created_at: string;
                can_undo: boolean;
              })[];
            total_count: number;
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  persons_all_activity_retrieve: {
    parameters: {
      query?: {
        limit?: number;
        page?: number;
        offset?: number;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: ({
                id: string;
                user: {
                  id?: number;
                  uuid?: string;
                  first_name: string;
                  email: string | null;
                  is_system?: boolean;
                };
                activity: string;
                scope: string;
                item_id: string | null;
                detail: {
                  changes: (({
                      type: string;
                      action: string;
                      field: string | null;
                      key?: string;
                      before: unknown;
                      after: unknown;
                    })[]) | null;
                  trigger: {
                    job_type: string;
                    job_id: string;
                    payload: {
                      [key: string]: unknown;
                    };
                  } | null;
                  name: string | null;
                  short_id: string | null;
                  type: string | null;
                };
                created_at: string;
                can_undo: boolean;
              })[];
            total_count: number;
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  persons_activity_retrieve: {
    parameters: {
      query?: {
        limit?: number;
        page?: number;
        offset?: number;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: ({
                id: string;
                user: {
                  id?: number;
                  uuid?: string;
                  first_name: string;
                  email: string | null;
                  is_system?: boolean;
                };
                activity: string;
                scope: string;
                item_id: string | null;
                detail: {
                  changes: (({
                      type: string;
                      action: string;
                      field: string | null;
                      key?: string;
                      before: unknown;
                      after: unknown;
                    })[]) | null;
                  trigger: {
                    job_type: string;
                    job_id: string;
                    payload: {
                      [key: string]: unknown;
                    };
                  } | null;
                  name: string | null;
                  short_id: string | null;
                  type: string | null;
                };
                created_at: string;
                can_undo: boolean;
              })[];
            total_count: number;
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  session_recordings_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        date_from?: string;
        date_to?: string;
        order?: "start_time" | "duration" | "recording_duration" | "active_seconds" | "inactive_seconds" | "click_count" | "keypress_count" | "mouse_activity_count" | "console_log_count" | "console_warn_count" | "console_error_count" | "activity_score" | "recording_ttl";
        order_direction?: "ASC" | "DESC";
        session_ids?: string;
        session_recording_id?: string;
        distinct_ids?: string;
        person_uuid?: string;
        events?: string;
        properties?: string;
        having_predicates?: string;
        console_log_filters?: string;
        operand?: "AND" | "OR";
        filter_test_accounts?: boolean;
        hide_viewed_recordings?: "current-user" | "any-user";
        actions?: string;
        comment_text?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: ({
                id: string;
                distinct_id: string;
                viewed: boolean;
                recording_duration: number;
                active_seconds: number;
                inactive_seconds: number;
                start_time: string;
                end_time: string;
                click_count: number;
                keypress_count: number;
                mouse_activity_count: number;
                console_log_count: number;
                console_warn_count: number;
                console_error_count: number;
                start_url: string;
                person: {
                  id: number | null;
                  name: string | null;
                  distinct_ids: string;
                  properties: {
                    [key: string]: unknown;
                  };
                  created_at: string | null;
                  uuid: string;
                };
                storage: "object_storage" | "object_storage_lts";
                snapshot_source: string;
                ongoing: boolean;
                activity_score: number;
                viewers: string[];
                retention_period_days: number;
                expiry_time: string;
                recording_ttl: number;
                snapshot_library: string | null;
                total_size: number;
                event_count: number;
              })[];
            has_next: boolean;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  session_recordings_retrieve: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": ({
            id: string;
            distinct_id: string;
            viewed: boolean;
            recording_duration: number;
            active_seconds: number;
            inactive_seconds: number;
            start_time: string;
            end_time: string;
            click_count: number;
            keypress_count: number;
            mouse_activity_count: number;
            console_log_count: number;
            console_warn_count: number;
            console_error_count: number;
            start_url: string;
            person: {
              id: number | null;
              name: string | null;
              distinct_ids: string;
              properties: {
                [key: string]: unknown;
              };
              created_at: string | null;
              uuid: string;
            };
            storage: "object_storage" | "object_storage_lts";
            snapshot_source: string;
            ongoing: boolean;
            activity_score: number;
            viewers: string[];
            retention_period_days: number;
            expiry_time: string;
            recording_ttl: number;
            snapshot_library: string | null;
            total_size: number;
            event_count: number;
          }) | {
            id: string;
            recording_duration: number;
            start_time: string;
            end_time: string;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_update: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          person?: unknown;
          viewed?: boolean;
          analyzed?: boolean;
          player_metadata?: {
            [key: string]: unknown;
          } | null;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: string;
            distinct_id: string;
            viewed: boolean;
            recording_duration: number;
            active_seconds: number;
            inactive_seconds: number;
            start_time: string;
            end_time: string;
            click_count: number;
            keypress_count: number;
            mouse_activity_count: number;
            console_log_count: number;
            console_warn_count: number;
            console_error_count: number;
            start_url: string;
            person: {
              id: number | null;
              name: string | null;
              distinct_ids: string;
              properties: {
                [key: string]: unknown;
              };
              created_at: string | null;
              uuid: string;
            };
            storage: "object_storage" | "object_storage_lts";
            snapshot_source: string;
            ongoing: boolean;
            activity_score: number;
            viewers: string[];
            retention_period_days: number;
            expiry_time: string;
            recording_ttl: number;
            snapshot_library: string | null;
            total_size: number;
            event_count: number;
            success: boolean;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_destroy: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_partial_update: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          person?: unknown;
          viewed?: boolean;
          analyzed?: boolean;
          player_metadata?: {
            [key: string]: unknown;
          } | null;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: string;
            distinct_id: string;
            viewed: boolean;
            recording_duration: number;
            active_seconds: number;
            inactive_seconds: number;
            start_time: string;
            end_time: string;
            click_count: number;
            keypress_count: number;
            mouse_activity_count: number;
            console_log_count: number;
            console_warn_count: number;
            console_error_count: number;
            start_url: string;
            person: {
              id: number | null;
              name: string | null;
              distinct_ids: string;
              properties: {
                [key: string]: unknown;
              };
              created_at: string | null;
              uuid: string;
            };
            storage: "object_storage" | "object_storage_lts";
            snapshot_source: string;
            ongoing: boolean;
            activity_score: number;
            viewers: string[];
            retention_period_days: number;
            expiry_time: string;
            recording_ttl: number;
            snapshot_library: string | null;
            total_size: number;
            event_count: number;
            success: boolean;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_viewed_retrieve: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            viewed: boolean;
            other_viewers: number;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_matching_events_retrieve: {
    parameters: {
      query?: {
        session_ids?: string;
        events?: string;
        properties?: string;
        actions?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            results: {
                uuid: string;
                timestamp: string;
              }[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  session_recordings_bulk_delete_create: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          session_recording_ids?: unknown;
          date_from?: string | null;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            success: boolean;
            deleted_count: number;
            total_requested: number;
            failed_ids: string[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_bulk_viewed_create: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          session_recording_ids?: unknown;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            success: boolean;
            viewed_count: number;
            total_requested: number;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_bulk_not_viewed_create: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          session_recording_ids?: unknown;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            success: boolean;
            not_viewed_count: number;
            total_requested: number;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_batch_check_exists_create: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          session_ids?: unknown;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            results: {
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_snapshots_retrieve: {
    parameters: {
      query?: {
        source?: string;
        blob_key?: string;
        start_blob_key?: string;
        end_blob_key?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            sources: ({
                source: "blob_v2";
                start_timestamp: string;
                end_timestamp: string;
                blob_key: string;
                full_snapshots: {
                    window_id: string;
                    timestamp: string;
                  }[] | null;
              })[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_snapshots_export_retrieve: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": unknown[];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_sharing_retrieve: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        recording_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            created_at: string;
            enabled: boolean;
            access_token: string;
            settings: ({
              whitelabel?: boolean;
              noHeader?: boolean;
              showInspector?: boolean;
              legend?: boolean;
              detailed?: boolean;
              hideExtraDetails?: boolean;
              loadRemote?: boolean;
              theme?: "light" | "dark" | "system";
            }) | null;
            password_required: boolean;
            share_passwords: ({
                id: number;
                created_at: string;
                note: string | null;
                created_by_email: string;
                is_active: boolean;
              })[];
            url: string | null;
            replay_url: string | null;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_sharing_partial_update: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        recording_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          enabled?: boolean;
          settings?: unknown;
          password_required?: boolean;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            created_at: string;
            enabled: boolean;
            access_token: string;
            settings: ({
              whitelabel?: boolean;
              noHeader?: boolean;
              showInspector?: boolean;
              legend?: boolean;
              detailed?: boolean;
              hideExtraDetails?: boolean;
              loadRemote?: boolean;
              theme?: "light" | "dark" | "system";
            }) | null;
            password_required: boolean;
            share_passwords: ({
                id: number;
                created_at: string;
                note: string | null;
                created_by_email: string;
                is_active: boolean;
              })[];
            url: string | null;
            replay_url: string | null;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_sharing_refresh_create: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        recording_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            created_at: string;
            enabled: boolean;
            access_token: string;
            settings: ({
              whitelabel?: boolean;
              noHeader?: boolean;
              showInspector?: boolean;
              legend?: boolean;
              detailed?: boolean;
              hideExtraDetails?: boolean;
              loadRemote?: boolean;
              theme?: "light" | "dark" | "system";
            }) | null;
            password_required: boolean;
            share_passwords: ({
                id: number;
                created_at: string;
                note: string | null;
                created_by_email: string;
                is_active: boolean;
              })[];
            url: string | null;
            replay_url: string | null;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_sharing_passwords_create: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        recording_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          raw_password?: string | null;
          note?: string | null;
        };
      };
    };
    responses: {
      201: {
        content: {
          "application/json": {
            id: number;
            password: string | null;
            note: string | null;
            created_at: string;
            created_by_email: string;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      422: components["responses"]["UnprocessableContent"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  session_recordings_sharing_passwords_destroy: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        recording_id: string;
        password_id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  sessions_list: {
    parameters: {
      query?: {
        person_id?: string;
        has_recording?: boolean;
        date_from?: string;
        date_to?: string;
        properties?: string;
        ordering?: "start_time" | "-start_time" | "duration" | "-duration";
        limit?: number;
        cursor?: string;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            next: string | null;
            previous: string | null;
            results: components["schemas"]["Session"][];
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  sessions_property_definitions_retrieve: {
    parameters: {
      query?: {
        search?: string;
        is_numerical?: boolean;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            results: ({
                id: string;
                name: string;
                is_numerical: boolean;
                property_type: "String" | "Numeric" | "DateTime" | "Boolean" | "Duration";
                is_seen_on_filtered_events: null;
                tags: string[];
              })[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  sessions_values_retrieve: {
    parameters: {
      query?: {
        key?: string;
        value?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            results: {
                key?: string;
                name: string;
                count: number;
              }[];
            refreshing: boolean;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  sessions_retrieve: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        session_id: string;
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": components["schemas"]["Session"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  events_list: {
    parameters: {
      query?: {
        event?: string;
        distinct_id?: string;
        person_id?: string;
        session_id?: string;
        before?: string;
        after?: string;
        properties?: string;
        limit?: number;
        cursor?: string;
        format?: "csv" | "json";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            next: string | null;
            previous: string | null;
            results: components["schemas"]["Event"][];
          };
          "text/csv": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  events_values_retrieve: {
    parameters: {
      query: {
        key: string;
        value?: string;
        event?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            results: {
                name: string;
                count: number;
              }[];
            refreshing: boolean;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  events_live_retrieve: {
    parameters: {
      query?: {
        event?: string;
        distinct_id?: string;
        properties?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "text/event-stream": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  events_retrieve: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": components["schemas"]["Event"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  definitions_event_definitions_retrieve: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        search?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: components["schemas"]["EventDefinition"][];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  definitions_property_definitions_retrieve: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        search?: string;
        type?: "event" | "person";
        is_numerical?: boolean;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: components["schemas"]["PropertyDefinition"][];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  events_ingestion_warnings_retrieve: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        type?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: components["schemas"]["IngestionWarning"][];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  subscriptions_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        deleted?: boolean;
        insight?: number;
        dashboard?: number;
        created_by?: string;
        target_type?: string;
        resource_type?: string;
        search?: string;
        ordering?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: components["schemas"]["Subscription"][];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  subscriptions_create: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          dashboard?: number | null;
          insight?: number | null;
          target_type: "email" | "slack" | "webhook" | "teams";
          target_value: string;
          frequency: "daily" | "weekly" | "monthly" | "yearly";
          start_date: string;
          interval?: number;
          byweekday?: (("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]) | null;
          bysetpos?: number | null;
          count?: number | null;
          until_date?: string | null;
          deleted?: boolean;
          title?: string | null;
          invite_message?: string | null;
          timezone?: string;
          enabled?: boolean;
        };
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["Subscription"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      422: components["responses"]["UnprocessableContent"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  subscriptions_retrieve: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Subscription"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  subscriptions_update: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          dashboard?: number | null;
          insight?: number | null;
          target_type: "email" | "slack" | "webhook" | "teams";
          target_value: string;
          frequency: "daily" | "weekly" | "monthly" | "yearly";
          start_date: string;
          interval?: number;
          byweekday?: (("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]) | null;
          bysetpos?: number | null;
          count?: number | null;
          until_date?: string | null;
          deleted?: boolean;
          title?: string | null;
          invite_message?: string | null;
          timezone?: string;
          enabled?: boolean;
          rotate_secret?: boolean;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Subscription"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  subscriptions_destroy: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: number;
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  subscriptions_partial_update: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: number;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          dashboard?: number | null;
          insight?: number | null;
          target_type?: "email" | "slack" | "webhook" | "teams";
          target_value?: string;
          frequency?: "daily" | "weekly" | "monthly" | "yearly";
          start_date?: string;
          interval?: number;
          byweekday?: (("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]) | null;
          bysetpos?: number | null;
          count?: number | null;
          until_date?: string | null;
          deleted?: boolean;
          title?: string | null;
          invite_message?: string | null;
          timezone?: string;
          enabled?: boolean;
          rotate_secret?: boolean;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Subscription"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  subscriptions_all_deliveries_retrieve: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        status?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: components["schemas"]["SubscriptionDelivery"][];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  subscriptions_deliveries_retrieve: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
        delivery_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SubscriptionDelivery"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  subscriptions_deliveries_resend_create: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
        delivery_id: string;
      };
    };
    responses: {
      202: {
        content: {
          "application/json": components["schemas"]["SubscriptionDelivery"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  subscriptions_testdelivery_create: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      202: {
        content: {
          "application/json": null;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  insights_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        short_id?: string;
        saved?: boolean;
        favorited?: boolean;
        created_by?: string;
        dashboard?: number;
        deleted?: boolean;
        basic?: boolean;
        search?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: components["schemas"]["Insight"][];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  insights_create: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          name?: string | null;
          derived_name?: string | null;
          description?: string | null;
          query?: {
            [key: string]: unknown;
          } | null;
          filters?: {
            [key: string]: unknown;
          };
          order?: number | null;
          deleted?: boolean;
          dashboards?: number[] | null;
          favorited?: boolean;
          tags?: string[];
        };
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["Insight"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      422: components["responses"]["UnprocessableContent"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  insights_retrieve: {
    parameters: {
      query?: {
        refresh?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": components["schemas"]["Insight"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  insights_destroy: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  insights_partial_update: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          name?: string | null;
          derived_name?: string | null;
          description?: string | null;
          query?: {
            [key: string]: unknown;
          } | null;
          filters?: {
            [key: string]: unknown;
          };
          order?: number | null;
          deleted?: boolean;
          dashboards?: number[] | null;
          favorited?: boolean;
          tags?: string[];
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Insight"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  dashboards_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        pinned?: boolean;
        deleted?: boolean;
        search?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: components["schemas"]["DashboardListItem"][];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  dashboards_create: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          name?: string | null;
          description?: string;
          pinned?: boolean;
          tags?: string[];
          filters?: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["Dashboard"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      422: components["responses"]["UnprocessableContent"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  dashboards_retrieve: {
    parameters: {
      query?: {
        refresh?: string;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": components["schemas"]["Dashboard"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  dashboards_destroy: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  dashboards_partial_update: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          name?: string | null;
          description?: string;
          pinned?: boolean;
          tags?: string[];
          filters?: {
            [key: string]: unknown;
          };
          deleted?: boolean;
          tiles?: ({
              id: number;
              layouts?: {
                [key: string]: unknown;
              };
              color?: string | null;
              deleted?: boolean | null;
            })[];
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Dashboard"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  insights_chartpng_retrieve: {
    parameters: {
      query?: {
        width?: number;
        theme?: "light" | "dark";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "image/png": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  insights_chartsvg_retrieve: {
    parameters: {
      query?: {
        width?: number;
        theme?: "light" | "dark";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "image/svg+xml": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  dashboards_chartpng_retrieve: {
    parameters: {
      query?: {
        width?: number;
        theme?: "light" | "dark";
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
        id: string;
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "image/png": string;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  query_create: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          query: {
            [key: string]: unknown;
          };
          refresh?: unknown;
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Hedgerow-Parked-Batches"?: number;
        };
        content: {
          "application/json": components["schemas"]["QueryResult"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  feature_flags_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: {
                [key: string]: unknown;
              }[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  experiments_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: {
                [key: string]: unknown;
              }[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  surveys_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: {
                [key: string]: unknown;
              }[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  cohorts_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: {
                [key: string]: unknown;
              }[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  actions_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      path: {
        project_id: components["parameters"]["ProjectId"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: {
                [key: string]: unknown;
              }[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
      504: components["responses"]["GatewayTimeout"];
    };
  };
  feature_flags_remote_config_retrieve: {
    parameters: {
      path: {
        project_id: components["parameters"]["ProjectId"];
        key: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": null;
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: components["responses"]["ServiceUnavailable"];
    };
  };
  personal_api_keys_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: ({
                id: string;
                label: string;
                value: string | null;
                mask_value: string;
                created_at: string;
                last_used_at: string | null;
                last_rolled_at: string | null;
                expires_at: string | null;
                user_id: number;
                scopes: string[];
                scoped_teams: number[];
                scoped_organizations: string[];
              })[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  personal_api_keys_create: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          label: string;
          scopes: string[];
          scoped_teams?: number[] | null;
          scoped_organizations?: string[] | null;
          expires_at?: string | null;
        };
      };
    };
    responses: {
      201: {
        content: {
          "application/json": {
            id: string;
            label: string;
            value: string | null;
            mask_value: string;
            created_at: string;
            last_used_at: string | null;
            last_rolled_at: string | null;
            expires_at: string | null;
            user_id: number;
            scopes: string[];
            scoped_teams: number[];
            scoped_organizations: string[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      422: components["responses"]["UnprocessableContent"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  personal_api_keys_retrieve: {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: string;
            label: string;
            value: string | null;
            mask_value: string;
            created_at: string;
            last_used_at: string | null;
            last_rolled_at: string | null;
            expires_at: string | null;
            user_id: number;
            scopes: string[];
            scoped_teams: number[];
            scoped_organizations: string[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  personal_api_keys_destroy: {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  personal_api_keys_partial_update: {
    parameters: {
      path: {
        id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          label?: string;
          scopes?: string[];
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: string;
            label: string;
            value: string | null;
            mask_value: string;
            created_at: string;
            last_used_at: string | null;
            last_rolled_at: string | null;
            expires_at: string | null;
            user_id: number;
            scopes: string[];
            scoped_teams: number[];
            scoped_organizations: string[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  personal_api_keys_roll_create: {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: string;
            label: string;
            value: string | null;
            mask_value: string;
            created_at: string;
            last_used_at: string | null;
            last_rolled_at: string | null;
            expires_at: string | null;
            user_id: number;
            scopes: string[];
            scoped_teams: number[];
            scoped_organizations: string[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  sign_in_logout_create: {
    responses: {
      204: {
        content: never;
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  sign_in_users_me_login_sessions_retrieve: {
    responses: {
      200: {
        content: {
          "application/json": ({
              id: string;
              via: "password" | "link" | "key";
              user_agent: string;
              ip: string;
              is_current: boolean;
              created_at: string;
              last_used_at: string;
              expires_at: string;
            })[];
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  sign_in_users_me_login_sessions_destroy: {
    parameters: {
      path: {
        id: string;
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  sign_in_users_me_login_sessions_revoke_others_create: {
    responses: {
      200: {
        content: {
          "application/json": {
            revoked_count: number;
          };
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  users_me_retrieve: {
    responses: {
      200: {
        content: {
          "application/json": {
            id: number;
            uuid: string;
            distinct_id: string;
            first_name: string;
            last_name: string;
            email: string;
            is_email_verified: boolean;
            hedgehog_config: {
              [key: string]: unknown;
            };
            organization: ({
              id: string;
              name: string;
              membership_level: number | null;
            }) | null;
            organizations: ({
                id: string;
                name: string;
                membership_level: number | null;
              })[];
            theme_mode: ("light" | "dark") | null;
            is_impersonated: boolean;
            team: {
              id: number;
              uuid: string;
              organization: string;
              name: string;
              api_token: string;
            } | null;
          };
        };
      };
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  users_me_partial_update: {
    requestBody?: {
      content: {
        "application/json": {
          first_name?: string;
          last_name?: string;
          theme_mode?: ("light" | "dark") | null;
          password?: string;
          current_password?: string;
          set_current_team?: number;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            id: number;
            uuid: string;
            distinct_id: string;
            first_name: string;
            last_name: string;
            email: string;
            is_email_verified: boolean;
            hedgehog_config: {
              [key: string]: unknown;
            };
            organization: ({
              id: string;
              name: string;
              membership_level: number | null;
            }) | null;
            organizations: ({
                id: string;
                name: string;
                membership_level: number | null;
              })[];
            theme_mode: ("light" | "dark") | null;
            is_impersonated: boolean;
            team: {
              id: number;
              uuid: string;
              organization: string;
              name: string;
              api_token: string;
            } | null;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  organizations_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: components["schemas"]["Organization"][];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  organizations_retrieve: {
    parameters: {
      path: {
        organization_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Organization"];
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  projects_list: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        search?: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: ({
                id: number;
                uuid: string;
                organization: string;
                project_id: number;
                api_token: string;
                name: string;
                timezone: string;
                is_demo: boolean;
                ingested_event: boolean;
                created_at: string;
                person_display_name_properties: string[] | null;
                session_recording_opt_in: boolean;
                capture_console_log_opt_in: boolean;
                session_recording_retention_period: "30d" | "90d" | "1y" | "5y";
                session_recording_quota_bytes: number | null;
                events_retention_days: number | null;
                autocapture_exceptions_opt_in: boolean;
                autocapture_web_vitals_opt_in: boolean;
                heatmaps_opt_in: boolean;
                capture_dead_clicks: boolean;
                anonymize_ips: boolean;
              })[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  projects_create: {
    parameters: {
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          name: string;
          timezone?: string;
          person_display_name_properties?: string[] | null;
          session_recording_opt_in?: boolean;
          capture_console_log_opt_in?: boolean;
          session_recording_retention_period?: "30d" | "90d" | "1y" | "5y";
          session_recording_quota_bytes?: number | null;
          events_retention_days?: number | null;
          autocapture_exceptions_opt_in?: boolean;
          autocapture_web_vitals_opt_in?: boolean;
          heatmaps_opt_in?: boolean;
          capture_dead_clicks?: boolean;
          anonymize_ips?: boolean;
        };
      };
    };
    responses: {
      201: {
        content: {
          "application/json": {
            id: number;
            uuid: string;
            organization: string;
            project_id: number;
            api_token: string;
            name: string;
            timezone: string;
            is_demo: boolean;
            ingested_event: boolean;
            created_at: string;
            person_display_name_properties: string[] | null;
            session_recording_opt_in: boolean;
            capture_console_log_opt_in: boolean;
            session_recording_retention_period: "30d" | "90d" | "1y" | "5y";
            session_recording_quota_bytes: number | null;
            events_retention_days: number | null;
            autocapture_exceptions_opt_in: boolean;
            autocapture_web_vitals_opt_in: boolean;
            heatmaps_opt_in: boolean;
            capture_dead_clicks: boolean;
            anonymize_ips: boolean;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      409: components["responses"]["Conflict"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      422: components["responses"]["UnprocessableContent"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  organizations_projects_retrieve: {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        search?: string;
      };
      path: {
        organization_id: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            count: number;
            next: string | null;
            previous: string | null;
            results: ({
                id: number;
                uuid: string;
                organization: string;
                project_id: number;
                api_token: string;
                name: string;
                timezone: string;
                is_demo: boolean;
                ingested_event: boolean;
                created_at: string;
                person_display_name_properties: string[] | null;
                session_recording_opt_in: boolean;
                capture_console_log_opt_in: boolean;
                session_recording_retention_period: "30d" | "90d" | "1y" | "5y";
                session_recording_quota_bytes: number | null;
                events_retention_days: number | null;
                autocapture_exceptions_opt_in: boolean;
                autocapture_web_vitals_opt_in: boolean;
                heatmaps_opt_in: boolean;
                capture_dead_clicks: boolean;
                anonymize_ips: boolean;
              })[];
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      404: components["responses"]["NotFound"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  feature_flags_feature_flag_local_evaluation_retrieve: {
    parameters: {
      query?: {
        token?: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            flags: {
                [key: string]: unknown;
              }[];
            group_type_mapping: {
              [key: string]: unknown;
            };
            cohorts: {
              [key: string]: unknown;
            };
          };
        };
      };
      400: components["responses"]["BadRequest"];
      401: components["responses"]["Unauthorized"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  system_health_retrieve: {
    responses: {
      200: {
        content: {
          "application/json": {
            status: string;
          };
        };
      };
      408: components["responses"]["RequestTimeout"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  system_ready_retrieve: {
    responses: {
      200: {
        content: {
          "application/json": {
            status: string;
            checks: {
              [key: string]: string;
            };
          };
        };
      };
      408: components["responses"]["RequestTimeout"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
      503: {
        content: {
          "application/json": {
            status: string;
            checks: {
              [key: string]: string;
            };
          };
        };
      };
    };
  };
  system_metrics_retrieve: {
    responses: {
      200: {
        content: {
          "text/plain": string;
        };
      };
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  sign_in_preflight_retrieve: {
    responses: {
      200: {
        content: {
          "application/json": {
            initiated: boolean;
            email_service_available: boolean;
          };
        };
      };
      408: components["responses"]["RequestTimeout"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  sign_in_login_create: {
    requestBody?: {
      content: {
        "application/json": {
          email?: string;
          password?: string;
          personal_api_key?: string;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": {
            success: boolean;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  sign_in_signup_create: {
    requestBody: {
      content: {
        "application/json": {
          token: string;
          password?: string;
          first_name?: string;
        };
      };
    };
    responses: {
      200: {
        content: {
          "application/json": ({
            purpose: "setup" | "reset";
            target_email: string;
            organization_name: string | null;
          }) | {
            success: boolean;
          };
        };
      };
      201: {
        content: {
          "application/json": ({
            purpose: "setup" | "reset";
            target_email: string;
            organization_name: string | null;
          }) | {
            success: boolean;
          };
        };
      };
      400: components["responses"]["BadRequest"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  sign_in_reset_create: {
    requestBody: {
      content: {
        "application/json": {
          email: string;
        };
      };
    };
    responses: {
      204: {
        content: never;
      };
      400: components["responses"]["BadRequest"];
      403: components["responses"]["Forbidden"];
      408: components["responses"]["RequestTimeout"];
      413: components["responses"]["ContentTooLarge"];
      415: components["responses"]["UnsupportedMediaType"];
      429: components["responses"]["TooManyRequests"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
  system_schema_retrieve: {
    responses: {
      200: {
        content: {
          "application/json": {
            [key: string]: unknown;
          };
        };
      };
      408: components["responses"]["RequestTimeout"];
      431: components["responses"]["RequestHeaderFieldsTooLarge"];
    };
  };
}
