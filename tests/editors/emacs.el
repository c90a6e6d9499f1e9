;;; emacs.el --- eglot against the server, in batch  -*- lexical-binding: t -*-

;; What a user of Emacs sees: flymake, eldoc, xref, imenu, a run.
;;   SERVER=target/release/relax-lsp FILE=mlp.py emacs -Q --batch -l emacs.el
;; eglot is part of Emacs from 29 on; before, Debian packages it as elpa-eglot.

;;; Code:

(unless (locate-library "eglot")
  (dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*-[0-9]*"))
    (add-to-list 'load-path folder)))
;; Emacs 28 carries an older project.el than the packaged eglot wants.
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*-[0-9]*"))
  (when (string-match-p "/\\(project\\|xref\\|eldoc\\|flymake\\|jsonrpc\\|seq\\|external-completion\\)-[0-9]" folder)
    (add-to-list 'load-path folder)))
(require 'cl-lib)
(require 'json)
(require 'project)
(require 'flymake)
(require 'eglot)

(defvar relax-failed 0)
(defvar relax-said nil "What eglot has told the user.")
(advice-add 'eglot--message :before
            (lambda (text &rest values) (push (apply #'format text values) relax-said)))

(defun relax-wait (what probe)
  "Let processes run until PROBE answers; complain about WHAT after minutes, which a busy machine may need."
  (let ((end (+ (float-time) 180)) found)
    (while (and (not (setq found (funcall probe))) (< (float-time) end))
      (accept-process-output nil 0.02))
    (or found (error "waited for %s" what))))

(defmacro relax-step (what &rest act)
  "Run ACT as the step called WHAT."
  (declare (indent 1))
  `(condition-case problem
       (let ((note (progn ,@act)))
         (princ (format "  ok   %s%s\n" ,what
                        (if (stringp note) (concat ": " (replace-regexp-in-string "[ \n]+" " " note)) ""))))
     (error (setq relax-failed (1+ relax-failed))
            (princ (format "  FAIL %s: %s\n" ,what (error-message-string problem))))))

(defun relax-goto (text &optional offset)
  "Put point at TEXT, OFFSET characters on."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (+ (match-beginning 0) (or offset 0))))

(defun relax-replace (text with)
  "Replace TEXT in the buffer and tell the server."
  (relax-goto text)
  (delete-char (length text))
  (insert with)
  (eglot--signal-textDocument/didChange))

(defun relax-diagnostics ()
  "The texts of flymake's diagnostics."
  (flymake-start)
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(princ (format "Emacs %s\n" emacs-version))
(setq eglot-sync-connect 180 eglot-connect-timeout 180 eglot-autoshutdown nil eglot-confirm-server-initiated-edits nil
      make-backup-files nil auto-save-default nil create-lockfiles nil
      flymake-no-changes-timeout 0.1
      eglot-server-programs `((python-mode . (,(getenv "SERVER") "lsp"))))

(let* ((file (expand-file-name (getenv "FILE")))
       (project-find-functions (list (lambda (_) (cons 'transient (file-name-directory file)))))
       server)
  (find-file file)
  (relax-step "the server starts"
    (apply #'eglot (eglot--guess-contact))
    (setq server (or (eglot-current-server) (error "no server")))
    (relax-wait "the buffer to be managed" (lambda () (bound-and-true-p eglot--managed-mode))))
  (relax-step "a mistake becomes a diagnostic, and goes with its correction"
    (relax-replace "nn.relu" "nn.rellu")
    (let ((text (car (relax-wait "a diagnostic" #'relax-diagnostics))))
      (relax-replace "nn.rellu" "nn.relu")
      (relax-wait "none" (lambda () (null (relax-diagnostics))))
      text))
  (relax-step "eldoc shows the StructInfo"
    (relax-goto "(active, w2" 1)
    (let (text)
      (eglot-hover-eldoc-function (lambda (string &rest _) (setq text string)))
      (setq text (substring-no-properties (relax-wait "eldoc" (lambda () text))))
      (unless (string-match-p "batch, 32" text) (error "%s" text))
      text))
  (relax-step "xref goes to the binding"
    (relax-goto "(active, w2" 1)
    (xref-find-definitions (format "%s" (xref-backend-identifier-at-point 'eglot)))
    (let ((line (line-number-at-pos)))
      (relax-goto "active = ")
      (unless (= line (line-number-at-pos)) (error "line %d" line))))
  (relax-step "imenu names module and functions"
    (let ((text (format "%S" (eglot-imenu))))
      (unless (cl-every (lambda (name) (string-match-p name text)) '("Module" "forward" "narrow"))
        (error "%s" text))))
  (relax-step "a run answers with its outputs"
    (let ((answer (eglot-execute-command
                   server 'relax.run
                   (vector `(:uri ,(eglot--path-to-uri file) :function "Module.forward"
                             :line ,(1- (save-excursion (relax-goto "def forward") (line-number-at-pos)))
                             :dims (:batch 2))))))
      (unless (eq t (plist-get answer :ok)) (error "%S" answer))
      (let ((output (aref (plist-get answer :outputs) 0)))
        (unless (equal [2 10] (plist-get output :shape)) (error "%S" output))
        (format "%s %s" (plist-get output :dtype) (plist-get output :shape)))))
  (relax-step "a code action on the line of a def runs it, and a message tells the outcome"
    (relax-goto "def forward" 4)
    (let* ((action (or (car (append (eglot-code-actions (point) (point) "relax.run") nil)) (error "no action")))
           (command (plist-get action :command)))
      (eglot-execute-command server (intern (plist-get command :command)) (plist-get command :arguments))
      ;; jsonrpc reads a message that came together with an answer only when more comes, as it does while a user works.
      (relax-wait "the message"
        (lambda ()
          (eglot-code-actions (point) (point) "relax.run")
          (cl-find-if (lambda (text) (string-match-p "Module\\.forward: ✓" text)) relax-said)))))
  (relax-step "rename changes every use"
    (relax-goto "hidden = ")
    (eglot-rename "inner")
    (relax-goto "inner = ")
    (relax-goto "R.nn.relu(inner)"))
  (relax-step "formatting puts spaces right"
    (relax-replace "R.nn.relu(inner)" "R.nn.relu( inner )")
    (eglot-format-buffer)
    (relax-goto "R.nn.relu(inner)"))
  (relax-step "the server leaves when asked"
    (set-buffer-modified-p nil)
    (let ((process (jsonrpc--process server)))
      (eglot-shutdown server)
      ;; eglot ends the process itself if it is not quick, so its status says nothing.
      (relax-wait "its end" (lambda () (not (process-live-p process)))))))

(kill-emacs (if (= 0 relax-failed) 0 1))
;;; emacs.el ends here
