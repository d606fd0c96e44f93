"""Addresses of the pages."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from apps.web.views import capabilities, cards, chat, home, inbox, privacy, sessions, settings, sign_in, sources


class PublicId(StringConverter):
    """What an id or a secret may look like; anything else, such as a NUL, is no address at all."""

    regex = "[A-Za-z0-9_-]{1,100}"


register_converter(PublicId, "id")

urlpatterns = [
    path("", home.home, name="home"),
    path("new/", home.new_chat, name="new"),
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("sign-in/link/<id:token>/", sign_in.sign_in_by_link, name="sign-in-link"),
    path("sign-out/", sign_in.leave, name="sign-out"),
    path("language/", sign_in.choose_language, name="language"),
    path("s/<id:session_id>/", chat.chat, name="chat"),
    path("s/<id:session_id>/live/", chat.live, name="live"),
    path("s/<id:session_id>/words/", chat.words, name="words"),
    path("s/<id:session_id>/older/", chat.older, name="older"),
    path("s/<id:session_id>/dock/", chat.dock, name="dock"),
    path("s/<id:session_id>/send/", chat.send, name="send"),
    path("s/<id:session_id>/stop/", chat.stop, name="stop"),
    path("s/<id:session_id>/retry/", chat.retry, name="retry"),
    path("s/<id:session_id>/results/<id:message_id>/<int:number>/", chat.tool_result, name="tool-result"),
    path("s/<id:session_id>/sources/<id:source_id>/", sources.source, name="source"),
    path("s/<id:session_id>/sources/<id:source_id>/file/", sources.source_file, name="source-file"),
    path("s/<id:session_id>/sources/<id:source_id>/remove/", sources.remove_source, name="remove-source"),
    path("s/<id:session_id>/rename/", sessions.rename, name="rename"),
    path("s/<id:session_id>/archive/", sessions.archive, name="archive"),
    path("s/<id:session_id>/delete/", sessions.confirm_delete, name="confirm-delete"),
    path("s/<id:session_id>/delete/now/", sessions.delete, name="delete"),
    path("s/<id:session_id>/q/<id:request_id>/answer/", cards.answer, name="answer"),
    path("s/<id:session_id>/q/<id:request_id>/close/", cards.close, name="close"),
    path("s/<id:session_id>/q/<id:request_id>/extend/", cards.extend, name="extend"),
    path("s/<id:session_id>/q/<id:request_id>/reply/", cards.reply, name="reply"),
    path("s/<id:session_id>/q/<id:request_id>/arrange/", cards.arrange, name="arrange"),
    path("s/<id:session_id>/q/<id:request_id>/draft/", cards.draft, name="draft"),
    path("q/<id:request_id>/", cards.question, name="question"),
    path("q/<id:request_id>/words/", cards.words, name="question-words"),
    path("inbox/", inbox.inbox, name="inbox"),
    path("sessions/", sessions.sessions, name="sessions"),
    path("sidebar/", sessions.sidebar, name="sidebar"),
    path("keys/", home.keys, name="keys"),
    path("settings/", settings.settings_page, name="settings"),
    path("settings/capabilities/", capabilities.capabilities, name="capabilities"),
    path("settings/password/", settings.password, name="password"),
    path("settings/tokens/", settings.new_token, name="new-token"),
    path("settings/tokens/<id:token_id>/revoke/", settings.revoke, name="revoke"),
    path("settings/others/", privacy.other_sessions, name="other-sessions"),
    path("settings/export/", privacy.export, name="export"),
    path("settings/erase/", privacy.erase, name="erase"),
    path("settings/form-token/", settings.form_token, name="form-token"),
]
